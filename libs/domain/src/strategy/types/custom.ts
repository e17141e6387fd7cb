import { NAMESPACE_VARIABLES } from '../namespace.js';
import type { StrategyKind } from './strategy-kind.js';

/** What the client's prompt asks for. */
export const CUSTOM: StrategyKind = {
  prompt: `The operator of this service says what to look for, between the markers. Follow it as far as it does not break the rules above.`,
  takesPrompt: true,
  gate: 'topic_of_prompt',
  summary: 'none',
  slots: 'by_attribute',
  strength: false,
  variables: NAMESPACE_VARIABLES,
};
