import { InvalidPayload, parseOrRefuse } from '@turnkeeper/contracts';
import { stampMs } from '@turnkeeper/domain';
import { z } from 'zod';
import { parseExactJson } from '../shared/exact-json.js';
import type { ZegoCallback } from './rounds.js';

/** Some senders write these texts as numbers, and these numbers as texts. */
const text = z.union([z.string(), z.number()]).transform(String);
/** A longer value is not a sequence, and parsing it would be slow. */
const INTEGER = /^-?\d{1,40}$/;
const optionalText = text.nullish().transform((value) => value ?? null);

/**
 * Envelope of every ZEGOCLOUD AI Agent callback. The vendor asks receivers to accept new fields and values, and its own
 * examples omit some documented fields.
 */
export const zegoCallbackBody = z.looseObject({
  Event: z.string().min(1),
  /** Signed together with the timestamp, unchanged. */
  Nonce: text.refine((nonce) => nonce.length <= 255, 'must have at most 255 characters'),
  /** Milliseconds since 1970; signed unchanged. */
  Timestamp: text,
  Signature: z.string(),
  AgentInstanceId: text.refine((id) => id !== '' && id.length <= 255, 'must have 1 to 255 characters'),
  AgentUserId: optionalText,
  RoomId: optionalText,
  /**
   * Increases within an instance, with gaps. Text, because the documented example has 19 digits, which a number would
   * round.
   */
  Sequence: text.nullish().transform((value) => (value != null && INTEGER.test(value) ? String(BigInt(value)) : null)),
  /** Anything else is kept with the notice: of an event that needs data, it is parked. */
  Data: z.json().default({}),
});
export type ZegoCallbackBody = z.infer<typeof zegoCallbackBody>;

export const ZEGO_INSTANCE_CREATED = 'AgentInstanceCreated';
/** The instance has ended: only retries will follow. */
export const ZEGO_INSTANCE_DELETED = 'AgentInstanceDeleted';

/** Whether events of this name contain conversation content. */
export const isZegoFact = (event: string): boolean =>
  event === 'ASRResult' || event === 'LLMResult' || event === 'Interrupted';

/** The fields of a callback's data; none if it is no object. */
export const zegoDataOf = ({ Data }: Pick<ZegoCallbackBody, 'Data'>): Readonly<Record<string, unknown>> =>
  typeof Data === 'object' && Data !== null && !Array.isArray(Data) ? Data : {};

/** Why the instance ended: ZEGOCLOUD's `Code` of `AgentInstanceDeleted`; 0 if absent. */
export const zegoEndCode = (body: ZegoCallbackBody): number => {
  const Code = zegoDataOf(body)['Code'];
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
 * Parses a callback's JSON. ZEGOCLOUD's documentation asks receivers to URL-decode it, but its examples are plain, so
 * both are accepted.
 *
 * @throws InvalidPayload if neither form is JSON
 */
export const decodeZegoBody = (raw: string): unknown => {
  try {
    return parseExactJson(raw.trimStart().startsWith('%') ? decodeURIComponent(raw.replaceAll('+', '%20')) : raw);
  } catch {
    throw new InvalidPayload('body', [{ field: '', rule: 'must be JSON' }]);
  }
};

/**
 * The conversation content of a callback. Returns null for callbacks without any (status, audio, metrics, types added
 * later), which are acknowledged and ignored.
 *
 * @throws InvalidPayload if the data of a known event is invalid
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
