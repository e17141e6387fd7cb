import {
  actorId,
  jsonObject,
  sessionId,
  text,
  uuid,
  agentMessage,
  MAX_HISTORY,
  MAX_IDLE_SECONDS,
} from '@turnkeeper/contracts';
import { z } from 'zod';

/**
 * Request bodies of Agora's agent API (REST reference: `join`, `update`, `list`), limited to the fields that memory
 * needs. Other fields are accepted but not stored, in particular tokens and keys.
 */

const systemMessages = z.array(jsonObject).max(100, 'must have at most 100 messages');

/** Null is the same as absent: Agora's Go client sends null for lists and objects that are not set. */
const modelFields = { system_messages: systemMessages.nullish(), params: jsonObject.nullish() };
const mllm = z.looseObject({ params: jsonObject.nullish() }).optional();

const llm = z.looseObject({
  /** `custom` receives every field of the messages. */
  vendor: text(64, 1).optional(),
  ...modelFields,
  max_history: z.number().int().min(1).max(MAX_HISTORY).optional(),
  /** Spoken first. Stored only if asked for, because the engine may report it as well. */
  greeting_message: text(100_000).optional(),
  /** Fill `{{name}}` in the system messages and the greeting. */
  template_variables: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()], 'must be a text, a number or a boolean'))
    .nullish(),
});

export const agoraJoinBody = z.looseObject({
  name: text(255, 1),
  properties: z
    .looseObject({
      channel: text(255).optional(),
      /** Seconds without a new event in the session. 0 or absent: never. */
      idle_timeout: z
        .number()
        .int()
        .min(0, 'must be between 0 and 259,200 (72 hours)')
        .max(MAX_IDLE_SECONDS, 'must be between 0 and 259,200 (72 hours)')
        .optional(),
      labels: jsonObject.default({}),
      llm: llm.optional(),
      mllm,
      parameters: z
        .looseObject({
          labels: jsonObject
            .optional()
            .describe(
              'Used if `labels` is absent or empty, because Agora’s Go client has free parameters but no `labels`.',
            ),
        })
        .nullish(),
    })
    .default({ labels: {} }),
});
export type AgoraJoinBody = z.infer<typeof agoraJoinBody>;

/**
 * The labels of an agent. Agora's Go client cannot send `labels`, so they can be in `parameters` instead.
 */
export const labelsOf = ({ labels, parameters }: AgoraJoinBody['properties']): AgoraJoinBody['properties']['labels'] =>
  Object.keys(labels).length > 0 ? labels : (parameters?.labels ?? labels);

const updateFields = { llm: z.looseObject(modelFields).optional(), mllm };

/** Agora's reference has the fields in `properties`; its Go client sends them without. */
export const agoraUpdateBody = z
  .looseObject({
    properties: z.looseObject(updateFields).optional().describe('Required unless its fields are in the body itself.'),
    token: z.string().optional().describe('Not stored.'),
    ...updateFields,
  })
  .refine(({ properties, token, llm, mllm }) => [properties, token, llm, mllm].some((field) => field !== undefined), {
    path: ['properties'],
    error: 'is required',
  });

/** What an update changes. Undefined: unchanged. */
export const agoraChangeOf = (body: z.infer<typeof agoraUpdateBody>) => {
  const { llm, mllm } = body.properties ?? body;
  return { systemMessages: llm?.system_messages ?? undefined, params: llm?.params ?? mllm?.params ?? undefined };
};

const MAX_SPOKEN_BYTES = 512;
export const agoraSpeakBody = z.looseObject({
  text: text(MAX_SPOKEN_BYTES, 1).refine(
    (value) => new TextEncoder().encode(value).length <= MAX_SPOKEN_BYTES,
    `must have at most ${MAX_SPOKEN_BYTES} bytes in UTF-8`,
  ),
  priority: z.enum(['INTERRUPT', 'APPEND', 'IGNORE'], 'must be INTERRUPT, APPEND or IGNORE').default('INTERRUPT'),
  interruptable: z.boolean().default(true),
});

const interruptOrIgnore = z.enum(['interrupt', 'ignore'], 'must be interrupt or ignore');
export const agoraThinkBody = z.looseObject({
  text: text(100_000, 1),
  on_listening_action: z
    .enum(['inject', 'interrupt', 'ignore'], 'must be inject, interrupt or ignore')
    .default('interrupt'),
  on_thinking_action: interruptOrIgnore.default('interrupt'),
  on_speaking_action: interruptOrIgnore.default('ignore'),
  interruptable: z.boolean().default(true),
  metadata: jsonObject.optional(),
});

export const agoraInterruptBody = z.looseObject({}).prefault({});

export const agoraTurnsQuery = z.looseObject({
  page_index: z.coerce.number().int().min(1).default(1),
  page_size: z.coerce.number().int().min(10).max(200).default(50),
});

/** Not part of Agora's API, which knows users and agents only. */
const roles = z.enum(['dialogue', 'any'], 'must be dialogue or any').default('dialogue');

export const agoraHistoryQuery = z.looseObject({
  /** Absent: the whole history. */
  limit: z.coerce.number().int().min(1).max(1_000).optional(),
  /** `meta.cursor` of the previous page. */
  cursor: z
    .string()
    .regex(/^\d{0,15}$/, 'must be the meta.cursor of an earlier answer')
    .default(''),
  roles,
});
export type AgoraHistoryQuery = z.infer<typeof agoraHistoryQuery>;

export const agoraAppendQuery = z.looseObject({ roles });

/**
 * Not part of Agora's API: its engine writes the history itself, whereas here the client does. Same format as when it
 * is read.
 */
export const agoraHistoryBody = z.looseObject({
  contents: z
    .array(agentMessage)
    .min(1, 'must have at least one message')
    .max(1_000, 'must have at most 1,000 messages'),
});

/**
 * Validates the ids from labels with the same rules as ours.
 *
 * @param actorLabel the label that holds the user's id
 */
export const labelBinding = (
  actorLabel: string,
): z.ZodType<Readonly<Record<string, string | null>>, Readonly<Record<string, string | null>>> =>
  z.object({ memory_id: uuid.nullable(), [actorLabel]: actorId.nullable(), session_id: sessionId.nullable() });

/** In seconds since 1970: the end of the year 9999. */
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
  /** Comma-separated state numbers. Default: running. */
  state: z
    .string()
    .regex(/^\d+(,\d+)*$/, 'must be numbers joined by commas')
    .default('2'),
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: text(255).default(''),
});
