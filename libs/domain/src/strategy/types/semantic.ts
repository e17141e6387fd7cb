import { NAMESPACE_VARIABLES } from '../namespace.js';
import type { StrategyKind } from './strategy-kind.js';

/** Facts of both sides. */
export const SEMANTIC: StrategyKind = {
  prompt: `Look for facts: who people are, what they do, have, plan and have lived through, the people and animals around them, places, dates, numbers, decisions, and facts of the domain they talk about. Facts said by the assistant count too; say that the assistant said so.`,
  takesPrompt: false,
  gate: 'all',
  summary: 'none',
  slots: 'by_attribute',
  strength: false,
  variables: NAMESPACE_VARIABLES,
};
