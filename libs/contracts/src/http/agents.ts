import { AGENT_STATUSES, type AgentStatus } from '@turnkeeper/domain';
import { z } from 'zod';
import {
  actorId,
  isStorableJson,
  jsonLength,
  jsonObject,
  listLimit,
  listQuery,
  sessionId,
  text,
  toolCalls,
  uuid,
} from './common.js';

/** States in which an agent can be, as our own routes spell them: `running`, `stopped`, `failed`. */
const AGENT_STATES = AGENT_STATUSES.map((status) => status.toLowerCase() as Lowercase<AgentStatus>);
export const agentStatus = z.enum(AGENT_STATES, `must be one of ${AGENT_STATES.join(', ')}`);

const systemMessages = z.array(jsonObject).max(100, 'must have at most 100 messages');
const reason = text(120, 1);

/** Agora's limits for an agent's window and idle time (`join` in its API). */
export const MAX_HISTORY = 1_024;
export const MAX_IDLE_SECONDS = 259_200;
const window = (least: number) => z.number().int().min(least).max(MAX_HISTORY);

export const startAgentBody = z.strictObject({
  memoryId: uuid,
  actorId,
  sessionId,
  /** Unique among the tenant's running agents. */
  name: text(255, 1),
  /** `openai`, `azure`, `custom`, …: determines which fields the model request contains. */
  vendor: text(64, 1).default('openai'),
  systemMessages: systemMessages.default([]),
  params: jsonObject.default({}),
  /** Maximum number of messages passed to the model (Agora's `llm.max_history`). */
  maxHistory: window(1).default(32),
  labels: jsonObject.default({}),
  channel: text(255, 1).nullable().default(null),
  /** Stops the agent after this many seconds without a new event in the session; 0: never. */
  idleTimeoutSeconds: z
    .number()
    .int()
    .min(0, 'must be between 0 and 259,200 (72 hours)')
    .max(MAX_IDLE_SECONDS, 'must be between 0 and 259,200 (72 hours)')
    .default(0),
  /** Number of earlier messages of the session to include in the agent's window. */
  loadHistory: window(0).default(0),
});

export const updateAgentBody = z
  .strictObject({ systemMessages: systemMessages.optional(), params: jsonObject.optional() })
  .refine((change) => change.systemMessages !== undefined || change.params !== undefined, {
    path: ['systemMessages'],
    error: 'or params is required',
  });

/** An absent body means the defaults. */
export const stopAgentBody = z.strictObject({ reason: reason.default('requested') }).prefault({});
export const failAgentBody = z.strictObject({ reason });
export const resetAgentBody = z.strictObject({ reason: reason.default('requested') }).prefault({});

const stamp = z.number().nonnegative('must be a time since 1970');

export const interruptAgentBody = z
  .strictObject({
    /** The part of the assistant's last message that was heard; absent or null: unknown. */
    content: text(100_000).nullable().default(null),
    /** Time of the interruption, milliseconds or seconds since 1970. */
    interruptTimestamp: stamp.optional(),
  })
  .prefault({});

/** Maximum length of a message with all its fields, in characters of its JSON. */
const MAX_MESSAGE_JSON = 1_048_576;

/** A message with Agora's field names; unknown fields are kept. */
export const agentMessage = z
  .looseObject({
    role: text(64, 1),
    /** Null if the assistant only calls tools. */
    content: text(100_000).nullable(),
    turn_id: z.number().int().optional(),
    timestamp: stamp.optional(),
    metadata: jsonObject.optional(),
    tool_calls: toolCalls.optional(),
    tool_call_id: text(255, 1).optional(),
  })
  .refine(isStorableJson, 'must hold JSON without NUL characters, not too deep')
  .refine(
    (message) => jsonLength(message) <= MAX_MESSAGE_JSON,
    `must have at most ${MAX_MESSAGE_JSON.toLocaleString('en-US')} characters as JSON`,
  );
export type AgentMessage = z.infer<typeof agentMessage>;

export const appendToAgentBody = z.strictObject({
  contents: z
    .array(agentMessage)
    .min(1, 'must have at least one message')
    .max(1_000, 'must have at most 1,000 messages'),
});

const flag = z.enum(['true', 'false'], 'must be true or false');

export const llmRequestQuery = z.strictObject({
  /** Prefix each content with its time. */
  times: flag.default('false'),
  /** Prefix user content with the speaker's name, else with `metadata.user`. */
  users: flag.default('false'),
  /** Use the generated text of interrupted messages. */
  original: flag.default('false'),
  /** Passed on to custom models. */
  interruptable: flag.default('true'),
  memories: z.coerce
    .number()
    .int()
    .min(0)
    .max(100)
    .default(10)
    .describe(
      "Maximum number of long-term memories to inject: records, captured facts, and turns from before the agent's start. " +
        'Their block has at most 800 tokens (o200k). 0: none.',
    ),
});

export const listAgentsQuery = listQuery.extend({
  limit: listLimit(),
  status: agentStatus.optional(),
  memoryId: uuid.optional(),
  actorId: actorId.optional(),
  sessionId: sessionId.optional(),
  name: text(255, 1).optional(),
  channel: text(255, 1).optional(),
});
