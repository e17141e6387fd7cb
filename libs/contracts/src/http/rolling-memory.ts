import { z } from 'zod';
import { actorId, isStorableJson, jsonLength, text, uuid } from './common.js';

const FACT_LENGTH = 2_000;
/** Above what all known fields can hold. */
const MAX_STATE_JSON = 4_194_304;
const count = z.number().int().min(0).default(0);

/**
 * `memory.state` as an Inworld client receives it in `session.updated`. Their guide guarantees no field, so only the
 * version is required; without a version, nothing can be new. Fields that the platform adds are kept.
 */
export const captureMemoryStateBody = z
  .looseObject({
    version: z.number().int().min(0),
    facts: z.array(text(FACT_LENGTH)).max(1_000, 'must have at most 1,000 facts').default([]),
    summary: text(100_000).default(''),
    context_text: text(200_000).default(''),
    turns_since_gen: count,
    total_turns: count,
    items_trimmed: count,
    /** The session's own `max_facts`, needed to recognise a full list. */
    max_facts: z.number().int().min(1).max(1_000).default(50),
  })
  .refine(isStorableJson, 'must hold JSON without NUL characters, not too deep')
  .refine(
    (state) => jsonLength(state) <= MAX_STATE_JSON,
    `must have at most ${MAX_STATE_JSON.toLocaleString('en-US')} characters as JSON`,
  );
export type CaptureMemoryStateBody = z.infer<typeof captureMemoryStateBody>;

export const memoryStateView = z.strictObject({
  /** False if this version or a newer one was already stored. */
  applied: z.boolean(),
  version: z.int(),
  facts: z.array(z.string()),
  summary: z.string(),
});

/** The session's rolling memory in the fields of Inworld's `memory.state`, with those that a captured state has beyond. */
export const rollingStateView = z
  .looseObject({
    version: z.int().describe('Grows by one with every generation that changed something.'),
    facts: z.array(z.string()).describe('Oldest first.'),
    summary: z.string(),
    context_text: z.string().describe('Text to put before the system prompt.'),
    turns_since_gen: z.int(),
    total_turns: z.int(),
    items_trimmed: z.int(),
  })
  .meta({ id: 'RollingState' });

/** Inworld's event of the same name, as far as memory is concerned. */
export const sessionUpdatedView = z
  .strictObject({
    type: z.literal('session.updated'),
    session: z.strictObject({
      id: z.string().describe("The session's id."),
      providerData: z.strictObject({
        user_id: z.string().describe('The actor.'),
        memory: z.strictObject({ state: rollingStateView }),
      }),
    }),
  })
  .meta({ id: 'SessionUpdated' });

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
