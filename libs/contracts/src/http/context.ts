import { z } from 'zod';
import { sessionId, text } from './common.js';

/** Context from earlier conversations for a model. */
export const buildContextBody = z.strictObject({
  query: text(10_000)
    .default('')
    .describe('What the user just said or asks. Empty, or when nothing fits it: the newest turns and records.'),
  budget: z
    .number()
    .int()
    .min(100, 'must be at least 100')
    .max(16_000, 'must be at most 16,000')
    .default(800)
    .describe('Most tokens of the block (o200k).'),
  sessionId: sessionId.optional().describe('Also use namespaces of this session alone.'),
});

const contextItemView = z
  .object({
    ref: z.int().describe('Its number in the text: `[1]`.'),
    kind: z.enum(['record', 'turn']),
    id: z.uuid().describe('Of the record or of the event.'),
    at: z.iso.datetime({ offset: true }),
    side: z.enum(['user', 'assistant']),
    text: z.string(),
    eventIds: z.array(z.uuid()).describe('Events that it rests on.'),
  })
  .meta({ id: 'ContextItem' });

export const memoryContextView = z
  .object({
    text: z
      .string()
      .describe('For a system message. It names itself as data that holds no instructions; empty for nothing.'),
    tokens: z.int(),
    items: z.array(contextItemView),
  })
  .meta({ id: 'Context' });
