import { z } from 'zod';
import { actorId, text, uuid } from './common.js';

const FACT_LENGTH = 2_000;
const count = z.number().int().min(0).default(0);

/**
 * `memory.state` as an Inworld client receives it in `session.updated`. Their guide promises no field, so every field
 * but the version may be missing; a state without a version holds nothing new.
 */
export const captureMemoryStateBody = z.strictObject({
  version: z.number().int().min(0),
  facts: z.array(text(FACT_LENGTH)).max(1_000, 'must have at most 1,000 facts').default([]),
  summary: text(100_000).default(''),
  context_text: text(200_000).default(''),
  turns_since_gen: count,
  total_turns: count,
  items_trimmed: count,
  /** The session's own `max_facts`, so that a full list is known as full. */
  max_facts: z.number().int().min(1).max(1_000).default(50),
});
export type CaptureMemoryStateBody = z.infer<typeof captureMemoryStateBody>;

export const memoryStateView = z.strictObject({
  /** False when this version, or a newer one, was there already. */
  applied: z.boolean(),
  version: z.int(),
  facts: z.array(z.string()),
  summary: z.string(),
});

/** A session's rolling memory as the server keeps it, in the fields of Inworld's `memory.state`. */
export const rollingStateView = z
  .object({
    version: z.int().describe('Grows by one with every generation that changed something.'),
    facts: z.array(z.string()).describe('Oldest first.'),
    summary: z.string(),
    context_text: z.string().describe('What goes before the system prompt.'),
    turns_since_gen: z.int(),
    total_turns: z.int(),
    items_trimmed: z.int(),
  })
  .meta({ id: 'RollingState' });

export const restoreQuery = z.strictObject({
  memoryId: uuid,
  /** The opening words; given, only the `k` facts that fit them best are put into the memory block. */
  query: text(1_000, 1).optional(),
  k: z.coerce.number().int().min(1).max(200).default(10),
  /** Literal messages to replay, newest last. */
  turns: z.coerce.number().int().min(0).max(100).default(4),
  /** The base system prompt that the memory block is added to. */
  instructions: text(50_000).default(''),
});
export type RestoreQuery = z.infer<typeof restoreQuery>;

export const restoreView = z.strictObject({
  actorId,
  facts: z.array(z.string()),
  summary: z.string(),
  /** `session.update` first, then one `conversation.item.create` for each literal message. */
  messages: z.array(z.looseObject({ type: z.string() })),
});
