import { z } from 'zod';
import { sessionId, text } from './common.js';

/** Context from earlier conversations for a model. */
export const buildContextBody = z.strictObject({
  query: text(10_000)
    .default('')
    .describe(
      'What the user just said or asked. If it is empty or matches nothing, the newest turns and records are used; if it ' +
        'hardly matches, such as a greeting, both.',
    ),
  budget: z
    .number()
    .int()
    .min(100, 'must be at least 100')
    .max(16_000, 'must be at most 16,000')
    .default(800)
    .describe('Maximum size of the block in tokens (o200k).'),
  sessionId: sessionId.optional().describe('Also use the namespaces of this session.'),
});

const contextItemView = z
  .object({
    ref: z.int().describe('Its reference number in the text: `[1]`.'),
    kind: z.enum(['record', 'turn']),
    id: z.uuid().describe('Id of the record or the event.'),
    at: z.iso.datetime({ offset: true }).describe('When it was said; of a record, when it was last stated.'),
    side: z.enum(['user', 'assistant']),
    text: z.string(),
    eventIds: z.array(z.uuid()).describe('Events that it is based on.'),
  })
  .meta({ id: 'ContextItem' });

export const memoryContextView = z
  .object({
    text: z
      .string()
      .describe('Text for a system message, marked as data without instructions. Empty if nothing was found.'),
    tokens: z.int(),
    items: z.array(contextItemView),
  })
  .meta({ id: 'Context' });
