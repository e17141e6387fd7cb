import { z } from 'zod';
import { endedEvent, id } from '../forwarded/shapes.js';

/** Fields as in Python (`created_at`), also if they came from Node (`createdAt`). */
const snakeCase = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(snakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      snakeCase(inner),
    ]),
  );
};

/** Seconds in Python, milliseconds in Node. */
const createdAt = z.number().optional();

/** Text, or what was said in audio. Pictures are not kept. */
const content = z.union([
  z.string(),
  z.looseObject({ type: z.string() }).transform(({ transcript }) => (typeof transcript === 'string' ? transcript : '')),
]);

const message = z.object({
  id,
  type: z.literal('message'),
  role: z.string(),
  content: z.array(content),
  interrupted: z.boolean().default(false),
  created_at: createdAt,
});
const call = z.object({ id, call_id: id, name: z.string(), arguments: z.string(), created_at: createdAt });
const output = z.object({
  id,
  call_id: id,
  output: z.string(),
  is_error: z.boolean().default(false),
  created_at: createdAt,
});
const otherType = z.string().refine((type) => type !== 'message');
export type LivekitMessage = z.infer<typeof message>;
export type LivekitToolCall = z.infer<typeof call>;
export type LivekitToolOutput = z.infer<typeof output>;

/** The events of an `AgentSession` that say something about the conversation, and what a webhook says about its end. */
const events = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('conversation_item_added'),
    // Handoffs, changed instructions etc. are items too.
    item: z.union([message, z.null(), z.looseObject({ type: otherType }).transform(() => null)]),
    created_at: createdAt,
  }),
  z.object({
    type: z.literal('user_input_transcribed'),
    transcript: z.string(),
    is_final: z.boolean(),
    created_at: createdAt,
  }),
  z.object({
    type: z.literal('function_tools_executed'),
    function_calls: z.array(call),
    function_call_outputs: z.array(output.nullable()),
    created_at: createdAt,
  }),
  z.object({
    type: z.literal('close'),
    reason: z.string().default('close'),
    created_at: createdAt,
  }),
  z.object({ type: z.literal('participant_left') }),
  endedEvent,
]);
export type LivekitEvent = z.infer<typeof events>;

export const livekitEvent: z.ZodType<LivekitEvent> = z.preprocess(snakeCase, events);

/** Types of the events that are stored. */
export const LIVEKIT_TYPES: ReadonlySet<string> = new Set(
  events.options.map(({ shape }) => shape.type.value).filter((type) => type !== 'ended'),
);

/** A webhook of LiveKit's server about a participant; the others say nothing about calls. */
export const livekitWebhook = z.object({
  id: z.string().optional(),
  event: z.literal('participant_left'),
  room: z.object({ sid: id, name: id }),
  participant: z.object({ identity: id }),
});
