import { detectLanguage, isPlain } from '../text/languages.js';
import { isMisspelt, slipsAllowed, slipsBetween } from '../text/similar-words.js';
import { stopWordsOf } from '../text/stop-words.js';
import { stemOf, wordsOf } from '../text/tokenise.js';
import { englishWords, isListed } from '../text/word-rarity.js';

/** Corrections of one word: a short one may be any of several. */
const MAX_CORRECTIONS = 2;
/** English words that one may be a misspelling of, of which only those in scope count. */
const MAX_MEANT = 20;
const MAX_ASKED = 10;
/** Letters that all forms of a word begin with. */
const LEAST_ALIKE = 2;

/** The words of a question that may be misspelt: those that are no words of everyday English. */
export const doubtfulWords = (question: string): string[] => {
  const language = detectLanguage(question, 'en');
  const stop = stopWordsOf(language);
  const words = wordsOf(question, language).filter(
    (word) => slipsAllowed(word.length) > 0 && !stop.has(word) && !isListed(word),
  );
  return [...new Set(words)].slice(0, MAX_ASKED);
};

/**
 * Reads the words of texts that misspelt ones may mean: those that begin with the same letter as one. Reading all words
 * takes ten times as long.
 *
 * @returns a function that returns those of a text, except in spellings that a text before had
 */
export const wordsBeginningLike = (misspelt: readonly string[]): ((text: string) => string[]) => {
  const letters = [...new Set(misspelt.map((word) => word.charAt(0)))].join('');
  const beginning = new RegExp(`(?<![a-z0-9])[${letters}][a-z0-9']*`, 'g');
  const known = new Set<string>();
  return (text) => {
    const words: string[] = [];
    for (const spelling of isPlain(text) ? (text.toLowerCase().match(beginning) ?? []) : [text]) {
      if (known.has(spelling)) continue;
      known.add(spelling);
      words.push(...wordsOf(spelling, 'en'));
    }
    return words;
  };
};

/**
 * The words of texts that doubtful ones may be misspellings of: of each that no text has, the nearest ones.
 *
 * @param doubtful as returned by `doubtfulWords`
 * @param vocabulary words of the texts, at least those that begin like a doubtful one
 */
export const respelt = (doubtful: readonly string[], vocabulary: ReadonlySet<string>): string[] =>
  doubtful
    .filter((word) => !vocabulary.has(word) && !hasForm(vocabulary, word))
    .flatMap((word) => nearestTo(word, vocabulary, MAX_CORRECTIONS));

const hasForm = (vocabulary: ReadonlySet<string>, word: string): boolean => {
  const stem = stemOf(word, 'en');
  // Forms of a word begin alike, and stemming all words takes longer than comparing them.
  const beginning = word.slice(0, LEAST_ALIKE);
  for (const known of vocabulary) if (known.startsWith(beginning) && stemOf(known, 'en') === stem) return true;
  return false;
};

/** The English words that a word may be a misspelling of, the nearest and then the most frequent first. */
export const likelyMeant = (word: string): string[] => nearestTo(word, englishWords(word.charAt(0)), MAX_MEANT);

/** Whether a word is none of English, however rare. */
export const isNoWord = (word: string): boolean =>
  slipsAllowed(word.length) > 0 && /^[a-z]+$/u.test(word) && !englishWords(word.charAt(0)).has(word);

const nearestTo = (word: string, known: ReadonlySet<string>, most: number): string[] => {
  const allowed = slipsAllowed(word.length);
  const near = [...known].filter((other) => isMisspelt(word, other));
  return near
    .map((other) => ({ other, slips: slipsBetween(word, other, allowed) }))
    .sort((a, b) => a.slips - b.slips)
    .slice(0, most)
    .map(({ other }) => other);
};
