import { actorId, sessionId } from '@turnkeeper/contracts';
import { z } from 'zod';

/** Maximum number of events in one request. */
const MAX_EVENTS = 1_000;

const id = z.string().min(1).max(255);

/** What the forwarding server sends: the call's user and session, and the server events as received from the socket. */
export const realtimeBody = z.looseObject({
  /** The user who speaks. */
  actor_id: actorId,
  session_id: sessionId,
  /**
   * Tells the calls in one session of a user apart: `session.id` of `session.created` is a good choice. Default: the
   * session's id.
   */
  call_id: id.optional(),
  /** Server events, unchanged, in their order. */
  events: z
    .array(z.looseObject({ type: id }), 'must be a list of server events')
    .max(MAX_EVENTS, `must have at most ${MAX_EVENTS.toLocaleString('en-US')} events`)
    .default([]),
  /** The socket has closed: no more events follow. */
  ended: z.boolean().default(false),
});
export type RealtimeBody = z.infer<typeof realtimeBody>;

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');

/** A part of a message: `input_text`, `input_audio`, `output_text` or `output_audio`; `text` or `audio` in the beta. */
const part = z.object({ type: z.string(), text, transcript: text });

/** An item of the conversation (OpenAI's reference, "Conversation item"). Audio is not kept. */
const item = z.object({
  id,
  type: z.string(),
  role: z.string().optional(),
  status: z.string().optional(),
  content: z.array(part).optional(),
  call_id: z.string().optional(),
  name: z.string().optional(),
  arguments: z.string().optional(),
  output: z.string().optional(),
});
export type RealtimeItem = z.infer<typeof item>;

const usage = z.record(z.string(), z.json()).nullish();

const itemEvent = <const Type extends string>(type: Type) =>
  z.object({ type: z.literal(type), item, previous_item_id: id.nullish() });

/** The server events that say something about the conversation; the others are not stored. */
export const realtimeEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session.created') }),
  itemEvent('conversation.item.created'),
  itemEvent('conversation.item.added'),
  itemEvent('conversation.item.done'),
  z.object({
    type: z.literal('conversation.item.input_audio_transcription.completed'),
    item_id: id,
    transcript: text,
    usage,
  }),
  z.object({ type: z.literal('conversation.item.input_audio_transcription.failed'), item_id: id }),
  z.object({ type: z.literal('conversation.item.deleted'), item_id: id }),
  z.object({ type: z.literal('conversation.item.truncated'), item_id: id, audio_end_ms: z.number() }),
  z.object({
    type: z.literal('response.done'),
    response: z.object({
      id: z.string().optional(),
      status: z.string().optional(),
      status_details: z.object({ reason: z.string().optional() }).nullish(),
      output: z.array(item).default([]),
      usage,
    }),
  }),
  /** Ours: the forwarding server said `ended`. */
  z.object({ type: z.literal('ended') }),
]);
export type RealtimeEvent = z.infer<typeof realtimeEvent>;

const TYPES: ReadonlySet<string> = new Set(realtimeEvent.options.map(({ shape }) => shape.type.value));

/** Whether events of this type are stored. `ended` is not a type of OpenAI's. */
export const isConversation = (type: string): boolean => TYPES.has(type) && type !== 'ended';

/** A notice as stored: one event, with its place, and its position in the request. */
export const realtimeNotice = z.object({
  actorId: z.string(),
  sessionId: z.string(),
  /** Absent in notices stored before calls were told apart by their user: there it is the key of the call. */
  callId: z.string().optional(),
  index: z.int(),
  event: realtimeEvent,
});
export type RealtimeNotice = z.infer<typeof realtimeNotice>;
