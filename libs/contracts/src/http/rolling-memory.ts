import { z } from 'zod';
import { actorId, text, uuid } from './common.js';

const restoreFields = {
  memoryId: uuid,
  query: text(1_000, 1)
    .optional()
    .describe(
      "The user's opening words. Selects the `k` best matching facts; without a match, the newest facts are used.",
    ),
};
const MAX_FACTS = 200;
const MAX_LITERAL_TURNS = 100;
const BUDGET = { least: 100, most: 16_000, usual: 800 };
const K = 'Maximum number of matching facts.';
const TURNS = 'Number of messages to replay verbatim, newest last.';
const BUDGET_ABOUT = 'Maximum size of the memory block with facts and summary, in tokens (o200k).';

export const restoreQuery = z.strictObject({
  ...restoreFields,
  k: z.coerce.number().int().min(1).max(MAX_FACTS).default(10).describe(K),
  turns: z.coerce.number().int().min(0).max(MAX_LITERAL_TURNS).default(4).describe(TURNS),
  budget: z.coerce.number().int().min(BUDGET.least).max(BUDGET.most).default(BUDGET.usual).describe(BUDGET_ABOUT),
  // Fits into a URL even if every character is escaped.
  instructions: text(4_000)
    .default('')
    .describe('The base system prompt, to which the memory block is appended. Use POST for a longer one.'),
});
export type RestoreQuery = z.infer<typeof restoreQuery>;

/** Like `restoreQuery`, for greetings and instructions that are too long or too confidential for a URL. */
export const restoreBody = z.strictObject({
  ...restoreFields,
  query: text(10_000, 1).optional().describe("The user's opening words; see the GET route."),
  k: z.number().int().min(1).max(MAX_FACTS).default(10).describe(K),
  turns: z.number().int().min(0).max(MAX_LITERAL_TURNS).default(4).describe(TURNS),
  budget: z.number().int().min(BUDGET.least).max(BUDGET.most).default(BUDGET.usual).describe(BUDGET_ABOUT),
  instructions: text(50_000).default('').describe('The base system prompt, to which the memory block is appended.'),
});

export const restoreView = z.strictObject({
  actorId,
  facts: z
    .array(z.string())
    .describe(
      'The facts in the memory block: those that match best first, otherwise oldest first. The block adds their dates.',
    ),
  summary: z.string(),
  /** `session.update` first, then one `conversation.item.create` per verbatim message. */
  messages: z.array(z.looseObject({ type: z.string() })),
});
