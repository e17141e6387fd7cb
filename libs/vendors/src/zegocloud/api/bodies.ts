import { actorId, jsonObject, text } from '@turnkeeper/contracts';
import { z } from 'zod';

/**
 * Request bodies of ZEGOCLOUD's agent instance API (server API reference), limited to the fields that memory needs.
 * Other fields are accepted but not stored, in particular keys and tokens.
 */

const role = z.enum(['user', 'assistant'], 'must be user or assistant');

const message = z.looseObject({ Role: role, Content: text(100_000) });
const messages = z.array(message).max(100, 'must have at most 100 messages');

/** Maximum number of messages passed to the model, according to the guide; the current reference says 500. */
const MAX_WINDOW = 100;
const windowSize = z.number().int().min(0).max(MAX_WINDOW);

const llm = z.looseObject({
  Model: text(255).optional(),
  SystemPrompt: text(100_000).optional(),
  Temperature: z.number().optional(),
  TopP: z.number().optional(),
  Params: jsonObject.optional(),
});

export const zegoCreateBody = z.looseObject({
  AgentId: text(128, 1),
  /** The user of the conversation; no default. */
  UserId: actorId,
  RTC: z.looseObject({ RoomId: text(128).optional() }).optional(),
  LLM: llm.optional(),
  MessageHistory: z
    .looseObject({
      /** 0: continue after the archived messages of this user and robot. 1: start with `Messages`. */
      SyncMode: z.union([z.literal(0), z.literal(1)], 'must be 0 or 1').default(0),
      Messages: messages.default([]),
      WindowSize: windowSize.default(20),
      ZIM: z.looseObject({ RobotId: text(128).default(''), LoadMessageCount: windowSize.optional() }).optional(),
    })
    .refine(({ SyncMode, Messages }) => SyncMode === 1 || Messages.length === 0, {
      path: ['Messages'],
      error: 'requires SyncMode 1',
    })
    .prefault({}),
  AdvancedConfig: z
    .looseObject({
      /** Seconds without a new event in the session. */
      MaxIdleTime: z.number().int().min(10).max(1_800).optional(),
    })
    .optional(),
});
export type ZegoCreateBody = z.infer<typeof zegoCreateBody>;

/** Replaces what is given, as a whole. Fields other than the language model's are accepted but not stored. */
export const zegoUpdateBody = z.looseObject({ AgentInstanceId: text(128, 1), LLM: llm.optional() });

export const zegoInstanceBody = z.looseObject({ AgentInstanceId: text(128, 1) });

export const zegoAddBody = zegoInstanceBody.extend({ Messages: messages.min(1, 'must have at least one message') });

/** Query parameters of every request. */
export const zegoQuery = z.looseObject({
  Action: z.string().default(''),
  AppId: z.string().default(''),
  SignatureNonce: z.string().default(''),
  Timestamp: z.string().default(''),
  Signature: z.string().default(''),
  SignatureVersion: z.string().default(''),
});
