import type { TokenCounter } from './token-counter.port.js';

/** Default token budget for remembered facts in a prompt. */
export const MEMORY_BUDGET = 800;

/** Takes facts in order while they fit the budget. A fact that does not fit is skipped; later ones may still fit. */
export const withinBudget = (facts: readonly string[], budget: number, tokens: TokenCounter): string[] => {
  let left = budget;
  return facts.filter((text) => {
    const cost = tokens.count(`- ${text}\n`);
    if (cost > left) return false;
    left -= cost;
    return true;
  });
};

/** Truncates a text to a number of tokens, at a space if there is one. */
export const shortened = (text: string, most: number, tokens: TokenCounter): string => {
  let cut = text;
  for (let count = tokens.count(cut); count > most; count = tokens.count(cut)) {
    const upTo = cut.slice(0, Math.floor(Math.min(0.9, most / count) * cut.length)).trimEnd();
    const space = upTo.lastIndexOf(' ');
    cut = space > 0 ? `${upTo.slice(0, space).trimEnd()}…` : upTo;
  }
  return cut.toWellFormed();
};
