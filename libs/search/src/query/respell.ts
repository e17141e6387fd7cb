import { detectLanguage } from '../text/languages.js';
import { isMisspelt, slipsAllowed, slipsBetween } from '../text/similar-words.js';
import { stopWordsOf } from '../text/stop-words.js';
import { stemOf, wordsOf } from '../text/tokenise.js';
import { englishWords, isListed } from '../text/word-rarity.js';

/** Corrections of one word: a short one may be any of several. */
const MAX_CORRECTIONS = 2;
/** English words that one may be a misspelling of, of which only those in scope count. */
const MAX_MEANT = 20;
const MAX_ASKED = 10;
const ASCII = /^\p{ASCII}*$/u;

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
 */
export const wordsBeginningLike = (misspelt: readonly string[]): ((text: string) => string[]) => {
  const letters = [...new Set(misspelt.map((word) => word.charAt(0)))].join('');
  const beginning = new RegExp(`(?<![a-z0-9])[${letters}][a-z0-9']*`, 'g');
  return (text) => wordsOf(ASCII.test(text) ? (text.toLowerCase().match(beginning) ?? []).join(' ') : text, 'en');
};

/**
 * The words of texts that doubtful ones may be misspellings of: of each that no text has, the nearest ones.
 *
 * @param doubtful as returned by `doubtfulWords`
 * @param vocabulary words of the texts, at least those that begin like a doubtful one
 */
export const respelt = (doubtful: readonly string[], vocabulary: ReadonlySet<string>): string[] => {
  const stems = new Set(Array.from(vocabulary, (word) => stemOf(word, 'en')));
  return doubtful
    .filter((word) => !vocabulary.has(word) && !stems.has(stemOf(word, 'en')))
    .flatMap((word) => nearestTo(word, vocabulary, MAX_CORRECTIONS));
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
