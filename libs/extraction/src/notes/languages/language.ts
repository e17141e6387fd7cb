import { remembered } from '../remembered.js';
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
const VIETNAMESE = /[ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/iu;
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*/gu;
/** Enough to tell a language by. */
const LONGEST_SAMPLE = 400;
/** Number of stop words that tell a language without a doubt. */
const ENOUGH = 2;

export const wordsIn = (text: string): string[] => text.toLowerCase().replaceAll('’', "'").match(WORD) ?? [];

/** The lexicon of a text's language, if the text shows which one. */
const shownIn = remembered((text: string, languages: typeof LANGUAGES): Lexicon | 'none' => {
  const sample = text.slice(0, LONGEST_SAMPLE);
  if ((sample.match(HAN)?.length ?? 0) * 3 > sample.length) return ZH;
  if (VIETNAMESE.test(sample)) return VI;
  const counts = new Map<Lexicon, number>();
  for (const lexicon of wordsIn(sample).flatMap((word) => languages.get(word) ?? []))
    counts.set(lexicon, (counts.get(lexicon) ?? 0) + 1);
  const [best, next] = [...counts].toSorted(([, one], [, other]) => other - one);
  return best === undefined || best[1] < ENOUGH || best[1] === next?.[1] ? 'none' : best[0];
});

/** The languages that a word tells. Single letters are spelled in every language. */
const LANGUAGES = new Map<string, Lexicon[]>();
for (const lexicon of [EN, ES, DE, FR, PT])
  for (const word of new Set([...lexicon.stop, ...lexicon.idle, ...lexicon.numbers.values.keys()]))
    if (word.length > 1) LANGUAGES.set(word, [...(LANGUAGES.get(word) ?? []), lexicon]);

/**
 * The lexicon for each text of a conversation: by its own words, else by the text before it, else by all of them.
 * English where nothing tells.
 */
export const lexiconsOf = (texts: readonly string[]): Lexicon[] => {
  const shown = texts.map((text) => shownIn(text, LANGUAGES));
  let last = shown.find((lexicon) => lexicon !== 'none') ?? EN;
  return shown.map((lexicon) => (last = lexicon === 'none' ? last : lexicon));
};
