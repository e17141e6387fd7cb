import { z } from 'zod';
import { text } from './common.js';
import { MAX_MESSAGE_LENGTH } from './events.js';

export const contextQuery = z.strictObject({
  /** Number of newest messages. */
  limit: z.coerce.number().int().min(1).max(1_000).default(10),
});

/** Which answer to return if several match. */
const prefer = z.enum(['newest', 'oldest'], 'must be newest or oldest').default('newest');

export const exactMatchQuery = z.strictObject({
  /** Must match exactly, character by character. */
  query: text(10_000, 1),
  prefer,
});

/** As long as a message can be, and exact in every character: a URL is limited in both. */
export const exactMatchBody = z.strictObject({ query: text(MAX_MESSAGE_LENGTH, 1), prefer });

const stamp = z.iso.datetime({ offset: true });

export const contextView = z.object({
  messages: z.array(
    z
      .object({
        role: z.string(),
        content: z.string(),
        metadata: z.record(z.string(), z.unknown()).nullable(),
        occurredAt: stamp.describe('When it was said; if unknown, when it was recorded.'),
        eventId: z.uuid(),
        sequence: z.int(),
      })
      .meta({ id: 'ContextMessage' }),
  ),
});

export const formattedView = z.object({ text: z.string() });

export const exactMatchView = z.object({
  answer: z.string().nullable().describe('Null if the question was not found or never answered.'),
  match: z
    .object({
      eventId: z.uuid(),
      actorId: z.string(),
      sessionId: z.string(),
      sequence: z.int(),
      answeredAt: stamp.describe('When the answer was said.'),
    })
    .nullable()
    .describe('The message with the answer.'),
});
