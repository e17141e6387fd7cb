import type { TokenCounter } from '../ports/token-counter.port.js';

/** Tokens that remembered facts may take of a prompt, where a request names no other number. */
export const MEMORY_BUDGET = 800;

/** As many of the facts as a budget holds, the first ones first; a fact that is too long is left out, and no other. */
export const withinBudget = (facts: readonly string[], budget: number, tokens: TokenCounter): string[] => {
  let left = budget;
  return facts.filter((text) => {
    const cost = tokens.count(`- ${text}\n`);
    if (cost > left) return false;
    left -= cost;
    return true;
  });
};

/** The beginning of a text within so many tokens, cut at a space where there is one. */
export const shortened = (text: string, most: number, tokens: TokenCounter): string => {
  let cut = text;
  for (let count = tokens.count(cut); count > most; count = tokens.count(cut)) {
    const upTo = cut.slice(0, Math.floor(Math.min(0.9, most / count) * cut.length)).trimEnd();
    const space = upTo.lastIndexOf(' ');
    cut = space > 0 ? `${upTo.slice(0, space).trimEnd()}…` : upTo;
  }
  return cut.toWellFormed();
};
