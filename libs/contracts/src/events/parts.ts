import { STRATEGY_TYPES } from '@turnkeeper/domain';
import { z } from 'zod';

/**
 * Schema parts shared by several stored events.
 *
 * Every later release must be able to read stored events. These schemas therefore require only what the code needs and
 * leave out the API's limits: a limit may be lowered later, but events stored under the higher one must stay readable.
 * Unknown fields are kept.
 */
export const id = z.uuid();
export const instant = z.iso.datetime();
/** JSON, stored unchanged. */
export const jsonObject = z.record(z.string(), z.json());
export const count = z.number().int().nonnegative();
export const sequence = z.number().int().positive();

export const source = z.object({
  eventId: id,
  sequence: z.number().int().nonnegative(),
  role: z.string(),
  quote: z.string(),
  context: z.boolean().optional(),
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
  outputSchema: jsonObject.nullable().optional(),
  rolling: rolling.nullable().optional(),
});
