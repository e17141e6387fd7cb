import { NAMESPACE_VARIABLES } from '../namespace.js';
import type { StrategyKind } from './strategy-kind.js';

/** The user's likes, dislikes, habits and constraints. */
export const USER_PREFERENCE: StrategyKind = {
  prompt: `Look only for preferences of the user (role "user"): likes, dislikes, habits, and constraints such as allergies, diets, budgets or times. Take them from the user's own words, never from the assistant's. Say how strong a preference is and how often a habit happens when the user says so.`,
  takesPrompt: false,
  gate: 'preferences',
  summary: 'none',
  slots: 'by_attribute',
  strength: true,
  variables: NAMESPACE_VARIABLES,
};
