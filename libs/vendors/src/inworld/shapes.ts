import { isStorableJson, jsonLength, text } from '@turnkeeper/contracts';
import { z } from 'zod';

const FACT_LENGTH = 2_000;
/** Above what all known fields can hold. */
const MAX_STATE_JSON = 4_194_304;
const count = z.number().int().min(0).default(0);

/**
 * `memory.state` as an Inworld client receives it in `session.updated`. Their guide guarantees no field, so only the
 * version is required; without a version, nothing can be new. Fields that the platform adds are kept.
 */
export const memoryStateBody = z
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
export type MemoryStateBody = z.infer<typeof memoryStateBody>;

export const capturedStateView = z.strictObject({
  /** False if this version or a newer one was already stored. */
  applied: z.boolean(),
  version: z.int(),
  facts: z.array(z.string()),
  summary: z.string(),
});

/** The session's rolling memory in the fields of Inworld's `memory.state`, with those that a captured state has beyond. */
export const rollingStateView = z
  .looseObject({
    version: z.int().describe('Incremented by each generation that changed something.'),
    facts: z.array(z.string()).describe('Oldest first.'),
    summary: z.string(),
    context_text: z.string().describe('Text to insert before the system prompt.'),
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
      id: z.string().describe('Id of the session.'),
      providerData: z.strictObject({
        user_id: z.string().describe('Id of the actor.'),
        memory: z.strictObject({ state: rollingStateView }),
      }),
    }),
  })
  .meta({ id: 'SessionUpdated' });
