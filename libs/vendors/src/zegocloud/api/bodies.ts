import { actorId, isStorableJson, jsonLength, jsonObject, MAX_JSON_CHARACTERS, text } from '@turnkeeper/contracts';
import { z } from 'zod';

/**
 * Request bodies of ZEGOCLOUD's agent instance API (server API reference), limited to the fields that memory needs.
 * Other fields are accepted but not stored, in particular keys and tokens. ZEGOCLOUD's own clients send null for objects
 * that they do not set.
 */

const role = z.enum(['user', 'assistant'], 'must be user or assistant');

const message = z.looseObject({ Role: role, Content: text(100_000) });
const messages = z.array(message).max(100, 'must have at most 100 messages');

/** Maximum number of messages passed to the model, according to the guide; the current reference says 500. */
const MAX_WINDOW = 100;
const windowSize = z.number().int().min(0).max(MAX_WINDOW);

/** The id of an agent profile. */
const agentId = text(128, 1);

export const zegoLlm = z.looseObject({
  Model: text(255).nullish(),
  SystemPrompt: text(100_000).nullish(),
  Temperature: z.number().nullish(),
  TopP: z.number().nullish(),
  Params: jsonObject.nullish(),
});
export type ZegoLlm = z.infer<typeof zegoLlm>;

export const zegoHistory = z
  .looseObject({
    /** 0: continue after the archived messages of this user and robot. 1: start with `Messages`. */
    SyncMode: z.union([z.literal(0), z.literal(1)], 'must be 0 or 1').default(0),
    Messages: messages.nullish(),
    WindowSize: windowSize.default(20),
    ZIM: z.looseObject({ RobotId: text(128).nullish(), LoadMessageCount: windowSize.nullish() }).nullish(),
  })
  .refine(({ SyncMode, Messages }) => SyncMode === 1 || (Messages?.length ?? 0) === 0, {
    path: ['Messages'],
    error: 'requires SyncMode 1',
  });

export const zegoCreateBody = z.looseObject({
  AgentId: agentId,
  /** The user of the conversation; no default. */
  UserId: actorId,
  RTC: z.looseObject({ RoomId: text(128).nullish() }).nullish(),
  /** Replaces that of the registered agent as a whole. */
  LLM: zegoLlm.nullish(),
  MessageHistory: zegoHistory.prefault({}).nullable(),
  AdvancedConfig: z
    .looseObject({
      /** Seconds without a new event in the session. */
      MaxIdleTime: z.number().int().min(10).max(1_800).nullish(),
    })
    .nullish(),
});
export type ZegoCreateBody = z.infer<typeof zegoCreateBody>;

/** Replaces what is given, as a whole. Fields other than the language model's are accepted but not stored. */
export const zegoUpdateBody = z.looseObject({ AgentInstanceId: text(128, 1), LLM: zegoLlm.nullish() });

export const zegoInstanceBody = z.looseObject({ AgentInstanceId: text(128, 1) });

export const zegoAddBody = zegoInstanceBody.extend({ Messages: messages.min(1, 'must have at least one message') });

const storedLlm = zegoLlm.refine((value) => isStorableJson(value) && jsonLength(value) <= MAX_JSON_CHARACTERS, {
  error: `must be storable JSON of at most ${MAX_JSON_CHARACTERS.toLocaleString('en-US')} characters`,
});
const agentName = text(256);
export const zegoRegisterBody = z.looseObject({ AgentId: agentId, Name: agentName.nullish(), LLM: storedLlm });

/** Replaces what is given. */
export const zegoUpdateAgentBody = z.looseObject({
  AgentId: agentId,
  Name: agentName.nullish(),
  LLM: storedLlm.nullish(),
});

export const zegoAgentBody = z.looseObject({ AgentId: agentId });

export const zegoQueryAgentsBody = z.looseObject({ AgentIds: z.array(agentId).max(10, 'must have at most 10 ids') });

export const zegoListAgentsBody = z.looseObject({
  /** 0 is the default, 5. */
  Limit: z.number().int().min(0).max(10).nullish(),
  /** That of the previous response, which is its last id; empty for the first page. */
  Cursor: text(128).nullish(),
});

/** Query parameters of every request. */
export const zegoQuery = z.looseObject({
  Action: z.string().default(''),
  AppId: z.string().default(''),
  SignatureNonce: z.string().default(''),
  Timestamp: z.string().default(''),
  Signature: z.string().default(''),
  SignatureVersion: z.string().default(''),
});
