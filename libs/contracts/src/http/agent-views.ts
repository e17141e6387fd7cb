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
    idleTimeoutSeconds: z.int().describe('Seconds without a new event after which the agent is stopped; 0: never.'),
    loadHistory: z.int().describe("Number of earlier messages of the session in the agent's context window."),
    appId: z.string().nullable().describe("The voice platform's project under which it was started."),
    vendorAgentId: z
      .string()
      .nullable()
      .describe('Its id on the voice platform that runs it; null if it was started here.'),
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
    content: z.string().nullable().describe('What was heard. Null for an assistant message that only calls tools.'),
    turn_id: z.int().optional(),
    timestamp: z.number().optional().describe('As received: milliseconds or seconds since 1970.'),
    metadata: object.optional(),
  })
  .meta({ id: 'ConversationMessage' });

export const agentHistoryView = z.object({
  agentId: z.uuid(),
  status: agentStatus,
  truncated: z.boolean().describe('True if older messages were omitted. The session has all of them.'),
  contents: z.array(conversationMessageView),
});

export const appendedToAgentView = z.object({ messages: z.array(appendedEventView) });

export const interruptedView = appendedEventView.extend({
  messageEventId: z.uuid().describe('The message that was interrupted.'),
});

export const llmRequestView = z.looseObject({
  messages: z.array(object),
});
