import { NAMESPACE_VARIABLES } from '../namespace.js';
import type { StrategyKind } from './strategy-kind.js';

/** Facts of both sides. */
export const SEMANTIC: StrategyKind = {
  prompt: `# Task
Write down everything of the kinds above that both sides say: facts, preferences, plans, requests, commitments and events. Do not leave out a detail because it seems minor: a number, a name or a reason that is not written down is lost.`,
  takesPrompt: false,
  summary: 'none',
  slots: 'by_attribute',
  strength: false,
  variables: NAMESPACE_VARIABLES,
};
