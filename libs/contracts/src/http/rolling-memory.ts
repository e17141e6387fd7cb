import { z } from 'zod';
import { actorId, text, uuid } from './common.js';

const restoreFields = {
  memoryId: uuid,
  query: text(1_000, 1)
    .optional()
    .describe('What the user said first. Only the `k` facts that fit best are taken; when none fits, the newest ones.'),
};
const MOST_FACTS = 200;
const MOST_LITERAL_TURNS = 100;
const BUDGET = { least: 100, most: 16_000, usual: 800 };
const K = 'Most facts that fit the query.';
const TURNS = 'Literal messages to replay, newest last.';
const BUDGET_ABOUT = 'Most tokens of facts and summary in the memory block (o200k).';

export const restoreQuery = z.strictObject({
  ...restoreFields,
  k: z.coerce.number().int().min(1).max(MOST_FACTS).default(10).describe(K),
  turns: z.coerce.number().int().min(0).max(MOST_LITERAL_TURNS).default(4).describe(TURNS),
  budget: z.coerce.number().int().min(BUDGET.least).max(BUDGET.most).default(BUDGET.usual).describe(BUDGET_ABOUT),
  // Fits into a URL even if every character is escaped.
  instructions: text(4_000)
    .default('')
    .describe('The base system prompt that the memory block is added to. A longer one goes into the body of the POST.'),
});
export type RestoreQuery = z.infer<typeof restoreQuery>;

/** Like `restoreQuery`, for greetings and instructions that are too long or too confidential for a URL. */
export const restoreBody = z.strictObject({
  ...restoreFields,
  query: text(10_000, 1).optional().describe('What the user said first; see the GET.'),
  k: z.number().int().min(1).max(MOST_FACTS).default(10).describe(K),
  turns: z.number().int().min(0).max(MOST_LITERAL_TURNS).default(4).describe(TURNS),
  budget: z.number().int().min(BUDGET.least).max(BUDGET.most).default(BUDGET.usual).describe(BUDGET_ABOUT),
  instructions: text(50_000).default('').describe('The base system prompt that the memory block is added to.'),
});

export const restoreView = z.strictObject({
  actorId,
  facts: z.array(z.string()),
  summary: z.string(),
  /** `session.update` first, then one `conversation.item.create` per verbatim message. */
  messages: z.array(z.looseObject({ type: z.string() })),
});
