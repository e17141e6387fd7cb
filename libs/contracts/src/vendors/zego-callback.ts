import { stampMs, type ZegoCallback } from '@turnkeeper/domain';
import { z } from 'zod';
import { InvalidPayload, parseOrRefuse } from '../invalid-payload.js';
import { parseExactJson } from './exact-json.js';

/** Texts that some senders write as numbers, and the other way round. */
const text = z.union([z.string(), z.number()]).transform(String);
/** Longer ones are no sequence; they would only cost time. */
const INTEGER = /^-?\d{1,40}$/;
const optionalText = text.nullish().transform((value) => value ?? null);

/**
 * The frame of every callback of ZEGOCLOUD's AI Agent. The vendor asks receivers to tolerate new fields and values, and
 * leaves some of the listed fields out of its own examples.
 */
export const zegoCallbackBody = z.looseObject({
  Event: z.string().min(1),
  /** Signed as it came, together with the timestamp. */
  Nonce: text.refine((nonce) => nonce.length <= 255, 'must have at most 255 characters'),
  /** Milliseconds since 1970; signed as it came. */
  Timestamp: text,
  Signature: z.string(),
  AgentInstanceId: text.refine((id) => id !== '' && id.length <= 255, 'must have 1 to 255 characters'),
  AgentUserId: optionalText,
  RoomId: optionalText,
  /** Rises within an instance, with gaps. Their example has 19 digits, so it is text here: a number would round it. */
  Sequence: text.nullish().transform((value) => (value != null && INTEGER.test(value) ? String(BigInt(value)) : null)),
  Data: z.looseObject({}).default({}),
});
export type ZegoCallbackBody = z.infer<typeof zegoCallbackBody>;

export const ZEGO_INSTANCE_CREATED = 'AgentInstanceCreated';
/** The instance is gone: nothing but repeats will come of it. */
export const ZEGO_INSTANCE_DELETED = 'AgentInstanceDeleted';

/** Whether events of this name say something about the conversation. */
export const isZegoFact = (event: string): boolean =>
  event === 'ASRResult' || event === 'LLMResult' || event === 'Interrupted';

/** Why the instance is gone: ZEGOCLOUD's `Code` of `AgentInstanceDeleted`, 0 where it does not say. */
export const zegoEndCode = (body: ZegoCallbackBody): number => {
  const { Code } = body.Data as { readonly Code?: unknown };
  return typeof Code === 'number' ? Code : 0;
};

const round = z.int();
const words = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const asrResult = z.looseObject({ Round: round, Text: words, UserId: optionalText });
const llmResult = z.looseObject({ Round: round, Text: words });
const interrupted = z.looseObject({ Round: round, Reason: z.int().default(0), PlayedText: words });

/**
 * The JSON of a callback. Their page asks receivers to URL-decode it, while their examples are plain: both are read.
 *
 * @throws InvalidPayload for what is JSON neither way
 */
export const decodeZegoBody = (raw: string): unknown => {
  try {
    return parseExactJson(raw.trimStart().startsWith('%') ? decodeURIComponent(raw.replaceAll('+', '%20')) : raw);
  } catch {
    throw new InvalidPayload('body', [{ field: '', rule: 'must be JSON' }]);
  }
};

/**
 * What a callback says about the conversation; null for those that say nothing about it (status, audio, metrics, and
 * whatever the vendor adds next), which are acknowledged and let go.
 *
 * @throws InvalidPayload when the data of a known event cannot be read
 */
export const zegoCallbackOf = (body: ZegoCallbackBody): ZegoCallback | null => {
  const frame = {
    agentInstanceId: body.AgentInstanceId,
    sequence: body.Sequence,
    timestamp: stampMs(Number(body.Timestamp)),
  };
  switch (body.Event) {
    case 'ASRResult': {
      const { Round, Text, UserId } = parseOrRefuse('Data', asrResult, body.Data);
      return { ...frame, event: 'ASRResult', round: Round, text: Text, userId: UserId };
    }
    case 'LLMResult': {
      const { Round, Text } = parseOrRefuse('Data', llmResult, body.Data);
      return { ...frame, event: 'LLMResult', round: Round, text: Text };
    }
    case 'Interrupted': {
      const { Round, Reason, PlayedText } = parseOrRefuse('Data', interrupted, body.Data);
      return { ...frame, event: 'Interrupted', round: Round, reason: Reason, playedText: PlayedText };
    }
    default:
      return null;
  }
};
