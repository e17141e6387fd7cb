import { flawOf, MAX_STRATEGIES, STRATEGY_TYPES, strategyKind, type StrategyType } from '@turnkeeper/domain';
import { z } from 'zod';
import { anyText, jsonObject, text } from './common.js';

const matching = (schema: z.ZodString, pattern: RegExp, signs: string) =>
  schema.regex(pattern, `may contain only letters, digits and ${signs}`);

/** Its variables are checked by the use case, because they depend on the type. */
export const namespaceTemplate = matching(
  anyText().max(50, 'must have at most 50 characters'),
  /^[a-zA-Z0-9{}/._-]*$/,
  '{ } / . _ -',
);

export const expiryDays = z
  .number()
  .int('must be a whole number of days')
  .min(1, 'must be between 1 and 365 days')
  .max(365, 'must be between 1 and 365 days');

const whole = (most: number) => z.number().int().min(1).max(most);
/** Bounds of the rolling-memory settings. */
export const rollingBounds = {
  turnInterval: whole(1_000),
  maxFacts: whole(1_000),
  maxMemoryLength: whole(100_000),
  maxTranscriptItems: whole(1_000),
};

/** Rolling-memory settings of a SUMMARY strategy, named after Inworld's `providerData.memory`. */
const rollingMemory = z.strictObject({
  turn_interval: rollingBounds.turnInterval.optional().describe('Completed turns between two generations. Default: 5.'),
  max_facts: rollingBounds.maxFacts.optional().describe('Maximum number of facts. Default: 50.'),
  max_memory_length: rollingBounds.maxMemoryLength
    .optional()
    .describe('Maximum length of the summary in characters. Default: 2,000.'),
  max_transcript_items: rollingBounds.maxTranscriptItems
    .optional()
    .describe('Number of messages kept verbatim. Default: 32.'),
  trim_after_summarize: z.boolean().optional().describe('Default: true.'),
});

/** A CUSTOM strategy must have instructions. */
export const hasItsPrompt = (type: StrategyType, prompt: string | null | undefined): boolean =>
  !strategyKind(type).takesPrompt || (prompt ?? '').trim() !== '';
export const PROMPT_REQUIRED = 'is required for a CUSTOM strategy';

/** The JSON schema of the structured data of a CUSTOM strategy's records. */
export const outputSchema = jsonObject
  .superRefine((schema, context) => {
    const flaw = flawOf(schema);
    if (flaw !== null) context.addIssue({ code: 'custom', path: [...flaw.path], message: flaw.rule });
  })
  .meta({
    type: 'object',
    description:
      'JSON schema of an object: with a model, each record of a CUSTOM strategy has `data` that fits it. Keywords: type, title, description, enum, properties, required, items. At most 5 levels, 50 properties and 8,192 characters.',
  });

/** A strategy of a new memory, in AgentBase's field names (their guide, "Create a Memory Store"). */
export const strategyBody = z
  .strictObject({
    name: text(255, 1),
    type: z.enum(STRATEGY_TYPES, `must be one of ${STRATEGY_TYPES.join(', ')}`),
    /** 0–50 characters. Default, also if empty: `/strategies/{memoryStrategyId}/actors/{actorId}`. */
    namespaceTemplate: namespaceTemplate.optional(),
    enableAutomaticMemoryRecordGeneration: z.boolean().default(true),
    /** Used by CUSTOM. Stored but ignored for other types, as in AgentBase. */
    customFactExtractionPrompt: text(30_000).optional(),
    outputSchema: outputSchema.optional(),
    /** Used by SUMMARY; ignored for other types. */
    rollingMemory: rollingMemory.optional(),
  })
  .refine((strategy) => hasItsPrompt(strategy.type, strategy.customFactExtractionPrompt), {
    path: ['customFactExtractionPrompt'],
    error: PROMPT_REQUIRED,
  });

export const memoryName = matching(anyText().max(50, 'must have at most 50 characters'), /^[a-zA-Z0-9._-]*$/, '. _ -');

export const createMemoryBody = z.strictObject({
  name: memoryName,
  description: text(4_096).default(''),
  eventExpiryDuration: expiryDays.default(30),
  longTermMemoryStrategies: z
    .array(strategyBody)
    .max(MAX_STRATEGIES, `must have at most ${MAX_STRATEGIES} strategies`)
    .default([]),
});
export type CreateMemoryBody = z.infer<typeof createMemoryBody>;

export type StrategyBody = z.infer<typeof strategyBody>;

/** Absent fields stay unchanged. */
export const changeMemoryBody = z
  .strictObject({
    name: memoryName.optional(),
    description: text(4_096).optional(),
    eventExpiryDuration: expiryDays.optional(),
    /** False: existing events keep the expiry that they were stored with. */
    applyToExisting: z
      .boolean()
      .default(false)
      .describe('Also apply the new duration to events that are readable now, counted from when each was recorded.'),
  })
  .refine((body) => body.eventExpiryDuration !== undefined || !body.applyToExisting, {
    path: ['eventExpiryDuration'],
    error: 'is required with applyToExisting',
  });
export type ChangeMemoryBody = z.infer<typeof changeMemoryBody>;

/** Absent fields stay unchanged; the type cannot change. */
export const changeStrategyBody = z.strictObject({
  name: text(255, 1).optional(),
  namespaceTemplate: namespaceTemplate.min(1, 'must not be empty').optional(),
  enableAutomaticMemoryRecordGeneration: z.boolean().optional(),
  customFactExtractionPrompt: text(30_000).optional(),
  outputSchema: outputSchema.nullable().optional(),
  rollingMemory: rollingMemory.optional().describe('Settings of a SUMMARY strategy. Absent fields are unchanged.'),
  status: z.enum(['ACTIVE', 'DISABLED'], 'must be ACTIVE or DISABLED').optional(),
});
export type ChangeStrategyBody = z.infer<typeof changeStrategyBody>;
