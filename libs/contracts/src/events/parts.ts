import { STRATEGY_TYPES } from '@turnkeeper/domain';
import { z } from 'zod';

/**
 * Parts that several stored events share.
 *
 * Stored events are read by every later release, so these schemas say what must be there for the code to work, and
 * leave out the limits of the API: a limit may be lowered one day, and what was stored under the higher one stays
 * readable. Fields that a schema does not name are kept as they are.
 */
export const id = z.uuid();
export const instant = z.iso.datetime();
/** JSON as it came. */
export const jsonObject = z.record(z.string(), z.json());
export const count = z.number().int().nonnegative();
/** A session sequence. */
export const sequence = z.number().int().positive();

export const source = z.object({
  eventId: id,
  sequence: z.number().int().nonnegative(),
  role: z.string(),
  quote: z.string(),
});

export const slot = z.object({ key: z.string(), value: z.string() });

const rolling = z.object({
  turnInterval: count,
  maxFacts: count,
  maxMemoryLength: count,
  maxTranscriptItems: count,
  trimAfterSummarize: z.boolean(),
});

export const strategy = z.object({
  strategyId: id,
  name: z.string(),
  type: z.enum(STRATEGY_TYPES),
  version: z.number().int().positive(),
  namespaceTemplate: z.string(),
  automatic: z.boolean(),
  customPrompt: z.string().nullable(),
  rolling: rolling.nullable().optional(),
});
