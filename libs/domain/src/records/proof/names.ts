import { foldedText } from '../folded-text.js';

/** The words in which a name may have been said. */
export interface SaidWords {
  readonly words: ReadonlySet<string>;
  /** Beginnings of these words, for names that are inflected. */
  readonly beginnings: ReadonlySet<string>;
}

const LEAST_BEGINNING = 4;
/** Endings that a language may add to a name, in letters. */
const LONGEST_ENDING = 2;

/** The words of all texts that were read. */
export const saidWords = (texts: readonly string[]): SaidWords => {
  const words = new Set<string>();
  const beginnings = new Set<string>();
  for (const text of texts) {
    const said = wordsIn(text);
    for (const word of said) words.add(word);
    for (const spelled of spelledIn(said)) words.add(spelled);
  }
  for (const word of words)
    for (let length = LEAST_BEGINNING; length <= word.length; length += 1) beginnings.add(word.slice(0, length));
  return { words, beginnings };
};

/** "n y c" is NYC. */
const spelledIn = (words: readonly string[]): string[] => {
  const found: string[] = [];
  let letters = '';
  for (const word of [...words, '']) {
    if (word.length === 1) letters += word;
    else {
      if (letters.length > 1) found.push(letters);
      letters = '';
    }
  }
  return found;
};

const wordsIn = (text: string): string[] => foldedText(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** A language that writes every noun with a capital has more capitals than names. */
const MAX_CAPITALS = 1 / 3;
const LEAST_WORDS = 6;

/**
 * Whether all names of a text were said. A name is a word with a capital within a sentence; a word with a digit in it
 * is a code. Scripts without capitals have no names here.
 *
 * @param dates words of the text that name days, e.g. "5 March"
 */
export const namesAreSaid = (text: string, dates: readonly string[], said: SaidWords): boolean => {
  const plain = dates.reduce((rest, date) => rest.replaceAll(date, ' , '), text.normalize('NFKC'));
  const runs = [...plain.matchAll(NAME)].map(([run]) => run.split(/\s+/));
  const all = plain.match(/[\p{L}\p{M}]+/gu) ?? [];
  const names = runs.flat().filter((word) => !/\p{N}/u.test(word));
  if (all.length >= LEAST_WORDS && names.length > all.length * MAX_CAPITALS) return true;
  return runs.every((run) => isInitials(run, said) || run.every((word) => isSaid(word, said)));
};

/** Words with a capital that follow each other, not at the beginning of a sentence. */
const NAME = /(?<=[^\s.!?:;"“”„«»()][^\S\n]{1,3}["“„«(]?)\p{Lu}[\p{L}\p{M}\p{N}]*(?: \p{Lu}[\p{L}\p{M}\p{N}]*)*/gu;

const isSaid = (word: string, { words, beginnings }: SaidWords): boolean => {
  const name = foldedText(word);
  if (name.length < 2 || /\p{N}/u.test(name) || words.has(name)) return true;
  return beginnings.has(name.slice(0, Math.max(LEAST_BEGINNING, name.length - LONGEST_ENDING)));
};

/** "New York City" was said as "NYC". */
const isInitials = (run: readonly string[], { words }: SaidWords): boolean =>
  run.length > 1 && words.has(foldedText(run.map((word) => [...word][0] ?? '').join('')));
