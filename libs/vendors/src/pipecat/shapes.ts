import { z } from 'zod';
import { endedEvent, forwardedBody } from '../forwarded/shapes.js';

/** What the pipeline's observer sends: RTVI messages have no ids, so their position in the call identifies them. */
export const pipecatBody = forwardedBody.extend({
  position: z.int('must be the number of messages of the call that were sent before').min(0),
});
export type PipecatBody = z.infer<typeof pipecatBody>;

const text = z.object({ text: z.string() });
const name = z.string().nullish();

/** The messages of the RTVI protocol (versions 1 and 2) that say something about the conversation. */
const message = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('user-transcription'),
    data: text.extend({ final: z.boolean(), timestamp: z.string().optional() }),
  }),
  z.object({ type: z.literal('bot-llm-started') }),
  z.object({ type: z.literal('bot-started-speaking') }),
  z.object({ type: z.literal('bot-stopped-speaking') }),
  z.object({ type: z.literal('bot-interrupted') }),
  z.object({ type: z.literal('bot-tts-text'), data: text }),
  z.object({ type: z.literal('bot-llm-text'), data: text }),
  z.object({ type: z.literal('bot-transcription'), data: text }),
  z.object({
    type: z.literal('bot-output'),
    data: text.extend({
      spoken: z.boolean().optional(),
      will_be_spoken: z.boolean().optional(),
      segment_id: z.number().optional(),
      spoken_status: z.string().nullish(),
      spoken_progress: z.object({ accumulated_text: z.string() }).nullish(),
    }),
  }),
  z.object({
    type: z.literal('llm-function-call'),
    data: z.object({ tool_call_id: z.string(), function_name: name, args: z.json().optional() }),
  }),
  z.object({
    type: z.literal('llm-function-call-in-progress'),
    data: z.object({ tool_call_id: z.string(), function_name: name, arguments: z.json().optional() }),
  }),
  z.object({
    type: z.literal('llm-function-call-stopped'),
    data: z.object({ tool_call_id: z.string(), cancelled: z.boolean().default(false), result: z.json().optional() }),
  }),
]);
export type RtviMessage = z.infer<typeof message>;
export type BotOutput = Extract<RtviMessage, { readonly type: 'bot-output' }>['data'];

/** Types of the messages that are stored. */
export const RTVI_TYPES: ReadonlySet<string> = new Set(message.options.map(({ shape }) => shape.type.value));

export const PART = 'rtvi-messages';
/** One request: its position in the call, the number of messages in it, and those that are stored. */
const part = z.object({
  type: z.literal(PART),
  position: z.int(),
  count: z.int(),
  messages: z.array(z.object({ at: z.int(), message })),
});
export const pipecatEvent = z.discriminatedUnion('type', [part, endedEvent]);
export type PipecatEvent = z.infer<typeof pipecatEvent>;
export type PipecatPart = z.infer<typeof part>;
