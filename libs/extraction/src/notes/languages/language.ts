import { DE } from './de.js';
import { EN } from './en.js';
import { ES } from './es.js';
import { FR } from './fr.js';
import type { Lexicon } from './lexicon.js';
import { PT } from './pt.js';
import { VI } from './vi.js';
import { ZH } from './zh.js';

export const LEXICONS: readonly Lexicon[] = [EN, ES, DE, FR, PT, VI, ZH];

const HAN = /\p{Script=Han}/gu;
/** Letters that no other language with a lexicon has. */
const VIETNAMESE = /[ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/giu;
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*/gu;
/** Enough to tell a language by. */
const LONGEST_SAMPLE = 400;
/** Number of stop words that tell a language without a doubt. */
const ENOUGH = 2;

export const wordsIn = (text: string): string[] => text.toLowerCase().replaceAll('’', "'").match(WORD) ?? [];

/** The lexicon of a text's language; null if the text does not show which one. */
const shownIn = (text: string): Lexicon | null => {
  const sample = text.slice(0, LONGEST_SAMPLE);
  if ((sample.match(HAN)?.length ?? 0) * 3 > sample.length) return ZH;
  if ((sample.match(VIETNAMESE)?.length ?? 0) >= 1) return VI;
  // Single letters are spelled in every language.
  const words = wordsIn(sample).filter((word) => word.length > 1);
  const counts = LEXICONS.filter((lexicon) => lexicon !== ZH && lexicon !== VI).map((lexicon) => ({
    lexicon,
    count: words.filter((word) => isOf(lexicon, word)).length,
  }));
  const [best, next] = counts.toSorted((one, other) => other.count - one.count);
  if (best === undefined || best.count < ENOUGH || best.count === next?.count) return null;
  return best.lexicon;
};

const isOf = ({ stop, idle, numbers }: Lexicon, word: string): boolean =>
  stop.has(word) || idle.has(word) || numbers.values.has(word);

/**
 * The lexicon for each text of a conversation: by its own words, else by the text before it, else by all of them.
 * English where nothing tells.
 */
export const lexiconsOf = (texts: readonly string[]): Lexicon[] => {
  const shown = texts.map(shownIn);
  let last = shown.find((lexicon) => lexicon !== null) ?? EN;
  return shown.map((lexicon) => (last = lexicon ?? last));
};
