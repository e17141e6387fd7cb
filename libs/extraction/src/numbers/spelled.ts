import type { NumberWords } from '../notes/languages/lexicon.js';

/**
 * The number that words say from a place on: "four hundred and twenty one". A unit after a unit begins another number.
 *
 * @returns null if the word is no number; `used` words were read
 */
export const spelledAt = (
  words: readonly string[],
  from: number,
  { values, scales, pairs, and, longTens = [] }: NumberWords,
): { readonly value: number; readonly used: number } | null => {
  // Thousands, hundreds below them, and what may still be multiplied; `scale` is the last multiplier.
  let [total, section, last, scale, at] = [0, 0, null as number | null, Infinity, from];
  for (; at < words.length;) {
    const skip = at > from && and.has(words[at] ?? '') ? 1 : 0;
    const word = words[at + skip] ?? '';
    const pair = pairs?.get(`${word} ${words[at + skip + 1] ?? ''}`);
    const [factor, value] = [scales.get(words[at] ?? ''), pair ?? values.get(word)];
    const used = skip + (pair === undefined ? 1 : 2);
    if (factor !== undefined && (at > from || factor <= 100)) {
      if (factor >= 1_000) [total, section, last] = [total + (section + (last ?? 0) || 1) * factor, 0, null];
      else [section, last] = [section + (last ?? 1) * factor, null];
      scale = factor;
      at += 1;
    } else if (value !== undefined && last === null && (at === from || (value > 0 && value < scale))) {
      last = value;
      at += used;
    } else if (value !== undefined && last !== null && value > 0 && completes(last, value, longTens)) {
      last += value;
      at += used;
    } else break;
  }
  return at === from ? null : { value: total + section + (last ?? 0), used: at - from };
};

/** Whether a smaller number can complete a larger one: 80 and 1, 400 and 20. */
const completes = (number: number, more: number, longTens: readonly number[]): boolean => {
  const tens = number % 100;
  if (number >= 100 && tens === 0) return more < 100;
  return number % 10 === 0 && (longTens.includes(tens) ? more < 20 : tens >= 20 && more < 10);
};
