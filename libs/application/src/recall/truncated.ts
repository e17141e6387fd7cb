import type { TokenCounter } from './token-counter.port.js';

/** Truncates a text to a number of tokens, at a space if there is one. */
export const truncated = (text: string, most: number, tokens: TokenCounter): string => {
  let cut = text;
  for (let count = tokens.count(cut); count > most; count = tokens.count(cut)) {
    const upTo = cut.slice(0, Math.floor(Math.min(0.9, most / count) * cut.length)).trimEnd();
    const space = upTo.lastIndexOf(' ');
    cut = space > 0 ? `${upTo.slice(0, space).trimEnd()}…` : upTo;
  }
  return cut.toWellFormed();
};
