import { detectLanguage } from '../text/languages.js';
import { isMisspelt, slipsAllowed, slipsBetween } from '../text/similar-words.js';
import { stopWordsOf } from '../text/stop-words.js';
import { stemOf, wordsOf } from '../text/tokenise.js';
import { isListed } from '../text/word-rarity.js';

/** Corrections of one word: a short one may be any of several. */
const MOST_CORRECTIONS = 2;
const MOST_ASKED = 10;

/** The words of a question that may be misspelt: those that are no words of everyday English. */
export const doubtfulWords = (question: string): string[] => {
  const language = detectLanguage(question, 'en');
  const stop = stopWordsOf(language);
  const words = wordsOf(question, language).filter(
    (word) => slipsAllowed(word.length) > 0 && !stop.has(word) && !isListed(word),
  );
  return [...new Set(words)].slice(0, MOST_ASKED);
};

/**
 * The words of texts that doubtful ones may be misspellings of: of each that no text has, the nearest ones.
 *
 * @param doubtful as returned by `doubtfulWords`
 * @param vocabulary `wordsOf` the texts
 */
export const respelt = (doubtful: readonly string[], vocabulary: ReadonlySet<string>): string[] => {
  const stems = new Set(Array.from(vocabulary, (word) => stemOf(word, 'en')));
  return doubtful
    .filter((word) => !vocabulary.has(word) && !stems.has(stemOf(word, 'en')))
    .flatMap((word) => {
      const most = slipsAllowed(word.length);
      return [...vocabulary]
        .filter((known) => isMisspelt(word, known))
        .map((known) => ({ known, slips: slipsBetween(word, known, most) }))
        .sort((a, b) => a.slips - b.slips || (a.known < b.known ? -1 : 1))
        .slice(0, MOST_CORRECTIONS)
        .map(({ known }) => known);
    });
};
