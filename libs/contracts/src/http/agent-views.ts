import { z } from 'zod';
import { agentStatus } from './agents.js';
import { appendedEventView } from './event-views.js';

const stamp = z.iso.datetime({ offset: true });
const object = z.record(z.string(), z.unknown());

export const agentView = z
  .looseObject({
    id: z.uuid(),
    memoryId: z.uuid(),
    actorId: z.string(),
    sessionId: z.string(),
    name: z.string(),
    vendor: z.string(),
    status: agentStatus,
    maxHistory: z.int(),
    channel: z.string().nullable(),
    systemMessages: z.array(object),
    params: object,
    labels: object,
    idleTimeoutSeconds: z.int().describe('0: never stopped for silence.'),
    loadHistory: z.int().describe("How many of the session's earlier messages belong to its window."),
    appId: z.string().nullable().describe("The voice platform's project that it was started under."),
    vendorAgentId: z
      .string()
      .nullable()
      .describe('Its id on the voice platform that runs it; null when it was started here.'),
    startedSequence: z.int(),
    startedAt: stamp,
    updatedAt: stamp.nullable(),
    stoppedSequence: z.int().nullable(),
    stoppedAt: stamp.nullable(),
    stopReason: z.string().nullable(),
  })
  .meta({ id: 'Agent' });

/** A current message in the format of voice platforms (Agora's field names). */
export const conversationMessageView = z
  .looseObject({
    role: z.string(),
    content: z.string().nullable().describe('What was heard; null as it came, for an assistant that only calls tools.'),
    turn_id: z.int().optional(),
    timestamp: z.number().optional().describe('As it came: milliseconds or seconds since 1970.'),
    metadata: object.optional(),
  })
  .meta({ id: 'ConversationMessage' });

export const agentHistoryView = z.object({
  agentId: z.uuid(),
  status: agentStatus,
  truncated: z.boolean().describe('True when older messages were left out; the session has them all.'),
  contents: z.array(conversationMessageView),
});

export const appendedToAgentView = z.object({ messages: z.array(appendedEventView) });

export const interruptedView = appendedEventView.extend({
  messageEventId: z.uuid().describe('The message that was cut.'),
});

export const llmRequestView = z.looseObject({
  messages: z.array(object),
});
