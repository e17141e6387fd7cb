import { z } from 'zod';
import { actorId, jsonObject, sessionId, text, uuid } from '../http/common.js';
import { agentMessage, MAX_HISTORY, MAX_IDLE_SECONDS } from '../http/agents.js';

/**
 * Bodies of Agora's agent API (their REST reference, `join`, `update`, `list`), as far as they matter to memory. All
 * else passes and is not kept: tokens and keys least of all.
 */

const systemMessages = z.array(jsonObject).max(100, 'must have at most 100 messages');

const llm = z.looseObject({
  /** `custom` gets every field of the messages. */
  vendor: text(64, 1).optional(),
  system_messages: systemMessages.optional(),
  params: jsonObject.optional(),
  max_history: z.number().int().min(1).max(MAX_HISTORY).optional(),
});

export const agoraJoinBody = z.looseObject({
  name: text(255, 1),
  properties: z
    .looseObject({
      channel: text(255).optional(),
      /** Seconds; here: without a new event in the session. 0 or absent: never. */
      idle_timeout: z
        .number()
        .int()
        .min(0, 'must be between 0 and 259,200 (72 hours)')
        .max(MAX_IDLE_SECONDS, 'must be between 0 and 259,200 (72 hours)')
        .optional(),
      labels: jsonObject.default({}),
      llm: llm.optional(),
      mllm: z.looseObject({ params: jsonObject.optional() }).optional(),
    })
    .default({ labels: {} }),
});
export type AgoraJoinBody = z.infer<typeof agoraJoinBody>;

export const agoraUpdateBody = z.looseObject({
  properties: z
    .looseObject({
      llm: z.looseObject({ system_messages: systemMessages.optional(), params: jsonObject.optional() }).optional(),
      mllm: z.looseObject({ params: jsonObject.optional() }).optional(),
    })
    .default({}),
});

/** Not Agora's: their engine writes the history itself, here yours does. In the shape in which it is read. */
export const agoraHistoryBody = z.looseObject({
  contents: z
    .array(agentMessage)
    .min(1, 'must have at least one message')
    .max(1_000, 'must have at most 1,000 messages'),
});

/**
 * The ids that labels carry, held to the rules of ours.
 *
 * @param actorLabel the label under which the user's id came
 */
export const labelBinding = (
  actorLabel: string,
): z.ZodType<Readonly<Record<string, string | null>>, Readonly<Record<string, string | null>>> =>
  z.object({ memory_id: uuid.nullable(), [actorLabel]: actorId.nullable(), session_id: sessionId.nullable() });

/** The last second of the year 9999. */
const LAST_SECOND = 253_402_300_799;
const seconds = z.coerce
  .number()
  .int()
  .min(0, 'must be a time in seconds since 1970')
  .max(LAST_SECOND, 'must be a time in seconds since 1970, up to the year 9999');

export const agoraListQuery = z.looseObject({
  channel: text(255, 1).optional(),
  from_time: seconds.optional(),
  to_time: seconds.optional(),
  /** Numbers of states, joined by commas; running ones when absent. */
  state: z
    .string()
    .regex(/^\d+(,\d+)*$/, 'must be numbers joined by commas')
    .default('2'),
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: text(255).default(''),
});
