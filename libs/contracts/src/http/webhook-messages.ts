import type { WebhookEvent } from '@turnkeeper/domain';
import { z } from 'zod';
import { conversationMessageView } from './agent-views.js';

const stamp = z.iso.datetime({ offset: true });
const object = z.record(z.string(), z.unknown());

const agentFacts = {
  agentId: z.uuid(),
  vendorAgentId: z.string().nullable().describe('Its id on the voice platform that runs it; null if started here.'),
  name: z.string(),
  labels: object,
  channel: z.string().nullable(),
  memoryId: z.uuid(),
  actorId: z.string(),
  sessionId: z.string(),
  startedAt: stamp,
};
const ended = { stoppedAt: stamp.nullable(), stopReason: z.string().nullable() };
const range = z.object({ from: z.int(), to: z.int() });
const ofSession = { eventId: z.uuid(), memoryId: z.uuid(), actorId: z.string(), sessionId: z.string() };

const historyItem = z.looseObject({
  ...conversationMessageView.shape,
  eventId: z.uuid(),
  sequence: z.int().nullable(),
  payloadType: z.string(),
  recordedAt: stamp,
});

/** What a message of each event contains in `data`, in the format `standard`. Receivers ignore unknown fields. */
const DATA = {
  'agent.started': z.looseObject({ ...agentFacts, vendor: z.string() }),
  'agent.stopped': z.looseObject({ ...agentFacts, ...ended }),
  'agent.history': z.looseObject({
    ...agentFacts,
    ...ended,
    sequenceRange: range.nullable().describe('First and last message of the whole history; null without messages.'),
    messageCount: z.int(),
    includedCount: z.int(),
    truncated: z.boolean().describe('True if `contents` has only the newest messages.'),
    historyUrl: z
      .string()
      .optional()
      .describe('URL of the whole history if it is truncated. Signed, so it needs no key.'),
    contents: z.array(historyItem),
  }),
  'records.extracted': z.looseObject({
    ...ofSession,
    strategyId: z.uuid(),
    strategyVersion: z.int(),
    sequenceRange: range.describe('The extracted events.'),
    records: z.array(z.looseObject({ recordId: z.uuid(), namespace: z.string() })).describe('New records.'),
    confirmed: z.array(z.uuid()).describe('Records that were stated again.'),
  }),
  'memory.deleted': z.looseObject({ memoryId: z.uuid(), deletedAt: stamp }),
  'erasure.completed': z.looseObject({
    memoryId: z.uuid(),
    target: z.enum(['event', 'session', 'actor']),
    agentIds: z.array(z.uuid()).describe('Agents whose histories the receiver should delete as well.'),
    erasedAt: stamp,
  }),
  'agent.action': z.looseObject({
    ...ofSession,
    sequence: z.int().describe('Position in the session. Increases with every action of an agent, with gaps.'),
    agentId: z.uuid(),
    action: z.string(),
    text: z.string().nullable(),
    options: object,
  }),
  'memory_state.updated': z.looseObject({
    ...ofSession,
    source: z.enum(['captured', 'extracted']),
  }),
} as const satisfies Readonly<Record<WebhookEvent, z.ZodType>>;

/** `agent.history` → `AgentHistoryMessage`. */
const nameOf = (event: string): string =>
  `${event.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Message`;

/** The body of each webhook in the format `standard` (the envelope that Standard Webhooks recommends). */
export const webhookMessageViews = Object.fromEntries(
  Object.entries(DATA).map(([event, data]) => [
    event,
    z
      .object({ type: z.literal(event), timestamp: stamp.describe('When it happened.'), data })
      .meta({ id: nameOf(event) }),
  ]),
) as unknown as Readonly<Record<WebhookEvent, z.ZodType>>;
