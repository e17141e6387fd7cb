import { z } from 'zod';
import { base64, instant, jsonObject, MAX_PAGE_OFFSET, text, toolCalls, uuid } from './common.js';

/** AgentBase's limit for a message, in characters. */
export const MAX_MESSAGE_LENGTH = 100_000;
/** Maximum number of events per request. */
const MAX_BATCH = 1_000;

const eventPayload = z
  .strictObject({
    /** `CONVERSATIONAL`, `BINARY`, …: compared case-insensitively, stored unchanged. */
    type: text(64, 1),
    role: text(64, 1).optional(),
    message: text(MAX_MESSAGE_LENGTH).optional(),
    /** Base64. */
    binaryData: base64.optional(),
  })
  .refine((payload) => (payload.message === undefined) !== (payload.binaryData === undefined), {
    path: ['message'],
    error: 'or payload.binaryData is required, and not both',
  })
  .refine((payload) => payload.message === undefined || payload.role !== undefined, {
    path: ['role'],
    error: 'is required with a message',
  });

const eventFields = {
  payload: eventPayload,
  /** When it was said. Default: when it arrived. Never used for ordering. */
  eventTimestamp: instant.optional(),
  eventId: uuid
    .optional()
    .describe(
      'Your own event id, for idempotency: repeating it with the same body in the same session returns the first ' +
        'response. The event itself gets the id in the response, which is derived from yours.',
    ),
  /** The voice platform's turn number. */
  turnId: z.number().int().optional(),
  /** The voice platform's own timestamp, milliseconds or seconds since 1970. */
  timestamp: z.number().int().nonnegative().optional(),
  metadata: jsonObject.optional(),
  /** Tool calls by an assistant, in OpenAI's format; each has an `id`. Absent if there are none. */
  toolCalls: toolCalls.optional(),
  /** On a `tool` message: the id of the call that it answers. */
  toolCallId: text(255, 1).optional(),
};

/** Index of the first event whose id already occurred in the batch; -1 if none. */
const firstRepeat = (events: readonly { readonly eventId?: string | undefined }[]): number => {
  const ids = events.map(({ eventId }) => eventId?.toLowerCase());
  return new Set(ids).size === ids.length ? -1 : ids.findIndex((id, at) => id !== undefined && ids.indexOf(id) < at);
};

/** 0 means that the session has no events yet. */
const expectedSequence = z.number().int().min(0).optional();

export const oneEventBody = z.strictObject({ ...eventFields, expectedSequence });
export const eventBatchBody = z.strictObject({
  events: z
    .array(z.strictObject(eventFields))
    .min(1, 'must have at least one event')
    .max(MAX_BATCH, `must have at most ${MAX_BATCH.toLocaleString('en-US')} events`)
    .superRefine((events, context) => {
      const repeat = firstRepeat(events);
      if (repeat < 0) return;
      context.addIssue({ code: 'custom', path: [repeat, 'eventId'], message: 'must differ from those of the others' });
    }),
  expectedSequence,
});
export type EventBody = Omit<z.infer<typeof oneEventBody>, 'expectedSequence'>;

/** `Idempotency-Key`: 1–255 printable ASCII characters. */
export const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, 'must have 1 to 255 printable ASCII characters without spaces');

const MAX_PAGE_SIZE = 100;
export const listEventsParameters = z
  .strictObject({
    page: z.coerce.number().int().min(1).default(1),
    size: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(10),
    from: z.coerce
      .number()
      .int()
      .min(0)
      .max(MAX_PAGE_OFFSET)
      .optional()
      .describe('Number of events to skip, in the chosen order. Replaces `page`.'),
    /** `desc`: newest first, AgentBase's order. */
    order: z.enum(['asc', 'desc'], 'must be asc or desc').default('desc'),
    /** Cursor: sequences after this one, in the chosen order. Replaces `page`. */
    after: z.coerce.number().int().min(0).optional(),
    type: z
      .enum(['message', 'binary'], 'must be message or binary')
      .optional()
      .describe('Only events with a `message`, or only those with `binaryData`.'),
    fromTimestamp: instant.optional().describe('Said at or after this time (`event_timestamp`).'),
    toTimestamp: instant.optional().describe('Said at or before this time.'),
  })
  .refine(({ page, size }) => (page - 1) * size <= MAX_PAGE_OFFSET, {
    path: ['page'],
    error: 'must keep (page-1)*size at or below 5,000; use `after` beyond it',
  });
export type ListEventsParameters = z.infer<typeof listEventsParameters>;

/** Where a stream begins that has no `Last-Event-ID`. */
export const followEventsParameters = z.strictObject({
  after: z.coerce
    .number()
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .default(0)
    .describe('Only events with a higher sequence. Default: from the beginning. `Last-Event-ID` takes precedence.'),
});

/** The id of the last event that a client of a stream received: the sequence, or the version of a memory state. */
export const lastEventId = z
  .string()
  .regex(/^\d{1,15}$/, 'must be the id of an event of this stream')
  .transform(Number);
