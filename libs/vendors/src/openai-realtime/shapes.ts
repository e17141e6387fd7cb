import { z } from 'zod';
import { endedEvent, id } from '../forwarded/shapes.js';

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
  endedEvent,
]);
export type RealtimeEvent = z.infer<typeof realtimeEvent>;

/** Types of the events that are stored. */
export const REALTIME_TYPES: ReadonlySet<string> = new Set(
  realtimeEvent.options.map(({ shape }) => shape.type.value).filter((type) => type !== 'ended'),
);
