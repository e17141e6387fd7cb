import { refusal } from '../errors.js';
import { strategyKind, type Strategy } from './strategy.js';

/** Maximum number of strategies per memory, including disabled ones. */
export const MAX_STRATEGIES = 10;

export class StrategyNotFound extends refusal('strategy.not_found', 'not_found', {
  message: 'The memory has no such strategy.',
  field: 'longTermMemoryStrategyId',
  rule: 'must name a strategy of this memory',
  next: 'List them with GET /memory/memories/{id}/long-term-memory-strategies.',
}) {}

export class StrategyIsDisabled extends refusal('strategy.disabled', 'conflict', {
  message: 'The strategy is disabled.',
  field: 'longTermMemoryStrategyId',
  rule: 'must be ACTIVE',
  next: 'Set its status to ACTIVE with PATCH, then try again.',
}) {}

export class TooManyStrategies extends refusal('strategy.too_many', 'conflict', {
  message: 'The memory has the maximum number of strategies.',
  field: 'longTermMemoryStrategies',
  rule: `must have at most ${MAX_STRATEGIES} strategies`,
  next: 'Change one of them instead.',
}) {}

export class CustomPromptMissing extends refusal('strategy.custom_prompt_missing', 'invalid', {
  message: 'A CUSTOM strategy needs its prompt.',
  field: 'customFactExtractionPrompt',
  rule: 'is required for a CUSTOM strategy',
  next: 'Send the instructions for the extraction.',
}) {}

export class OutputSchemaNotTaken extends refusal('strategy.output_schema_not_taken', 'invalid', (field: string) => ({
  message: 'Only CUSTOM strategies have an output schema.',
  field,
  rule: 'is only for CUSTOM strategies',
  next: 'Leave it out, or create a CUSTOM strategy.',
})) {}

/** @param path location of the strategy in the request, for errors */
export const assertTakesSchema = ({ type, outputSchema }: Pick<Strategy, 'type' | 'outputSchema'>, path = ''): void => {
  if (outputSchema != null && !strategyKind(type).takesPrompt) throw new OutputSchemaNotTaken(`${path}outputSchema`);
};

/** Fields of a strategy that may change. The type may not: a strategy's records must all be of one kind. */
export type StrategyChange = Partial<
  Pick<Strategy, 'name' | 'namespaceTemplate' | 'automatic' | 'customPrompt' | 'outputSchema' | 'rolling'>
>;

/** The strategy's next version, or null if nothing changes. */
export const reviseStrategy = (strategy: Strategy, change: StrategyChange): Strategy | null => {
  const revised = { ...strategy, ...change };
  if (strategyKind(revised.type).takesPrompt && (revised.customPrompt ?? '').trim() === '')
    throw new CustomPromptMissing();
  assertTakesSchema(revised);
  const keys = ['name', 'namespaceTemplate', 'automatic', 'customPrompt'] as const;
  const isSame = (key: 'rolling' | 'outputSchema') =>
    JSON.stringify(revised[key] ?? null) === JSON.stringify(strategy[key] ?? null);
  if (isSame('rolling') && isSame('outputSchema') && keys.every((key) => revised[key] === strategy[key])) return null;
  const { strategyId, name, type, version, namespaceTemplate, automatic, customPrompt, outputSchema, rolling } =
    revised;
  return {
    strategyId,
    name,
    type,
    version: version + 1,
    namespaceTemplate,
    automatic,
    customPrompt,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(rolling === undefined ? {} : { rolling }),
  };
};
