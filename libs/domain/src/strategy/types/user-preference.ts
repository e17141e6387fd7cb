import { NAMESPACE_VARIABLES } from '../namespace.js';
import type { StrategyKind } from './strategy-kind.js';

/** The user's likes, dislikes, habits and constraints. */
export const USER_PREFERENCE: StrategyKind = {
  prompt: `# Task
Write down only preferences of the person with role "user", in the category "preference", and constraints of those for whom the person speaks (a child, a parent, an animal), with these as subject: likes, dislikes, habits, and constraints such as allergies, diets, budgets, ways to be contacted, or times that suit. Take them from the person's own words, not from the agent's. Say what exactly is preferred, in place of what, how often, and why, if the person says so. A single choice ("I'll take the blue one") is no preference; how to be contacted is one.`,
  takesPrompt: false,
  summary: 'none',
  slots: 'by_attribute',
  strength: true,
  variables: NAMESPACE_VARIABLES,
};
