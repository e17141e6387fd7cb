import snowball from 'snowball-stemmers';
import { withoutApostrophes } from './apostrophes.js';
import { isPlain, type Language } from './languages.js';
import { LONGEST_WORD, plainWordsOf } from './plain-words.js';
import { stopWordsOf } from './stop-words.js';

/** Letters of scripts without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const WORD = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu;
const MARKS = /\p{M}+/gu;
/** Maximum number of tokens per text; the rest is ignored. */
const MAX_TOKENS = 4_000;

const SNOWBALL: Readonly<Partial<Record<Language, string>>> = {
  en: 'english',
  de: 'german',
  es: 'spanish',
  fr: 'french',
  it: 'italian',
  pt: 'portuguese',
  nl: 'dutch',
  ru: 'russian',
};
const SEGMENTED: Readonly<Partial<Record<Language, string>>> = { zh: 'zh', ja: 'ja', th: 'th' };

/** One function of words per language, which remembers its results: most words are frequent. */
export const ofLanguage = <T>(make: (language: Language) => (word: string) => T) => {
  const made = new Map<Language, (word: string) => T>();
  return (language: Language): ((word: string) => T) => {
    const known = made.get(language) ?? remembered(make(language));
    made.set(language, known);
    return known;
  };
};

const MAX_REMEMBERED = 50_000;
const remembered = <T>(read: (word: string) => T): ((word: string) => T) => {
  const known = new Map<string, T>();
  return (word) => {
    const earlier = known.get(word);
    if (earlier !== undefined) return earlier;
    const found = read(word);
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(word, found);
    return found;
  };
};

const stemmerOf = ofLanguage((language) => {
  const name = SNOWBALL[language];
  const stemmer = name === undefined ? undefined : snowball.newStemmer(name);
  return stemmer === undefined ? (word) => word : (word) => stemmer.stem(word) || word;
});

const segmenters = new Map<string, Intl.Segmenter>();
const segmenterOf = (locale: string): Intl.Segmenter => {
  const known = segmenters.get(locale) ?? new Intl.Segmenter(locale, { granularity: 'word' });
  segmenters.set(locale, known);
  return known;
};

/** Removes diacritics: `đường` becomes `duong`. */
export const foldDiacritics = (text: string): string =>
  text.normalize('NFD').replace(MARKS, '').replaceAll('đ', 'd').replaceAll('Đ', 'D');

/**
 * The words of a text in lower case: possessives and elided articles removed (`l'huile` becomes `huile`), other
 * apostrophes dropped (`don't` becomes `dont`), Vietnamese without diacritics, scripts without spaces segmented by `Intl.Segmenter`. In text order; at most
 * `MAX_TOKENS`.
 */
export const wordsOf = (text: string, language: Language): string[] =>
  isPlain(text) ? plainWords(text) : allWords(text, language);

const plainWords = (text: string): string[] => {
  const words: string[] = [];
  for (const { word } of plainWordsOf(text).slice(0, MAX_TOKENS)) if (word !== '') words.push(word);
  return words;
};

const allWords = (text: string, language: Language): string[] => {
  const words: string[] = [];
  for (const [match] of text.normalize('NFKC').toLowerCase().matchAll(WORD)) {
    if (words.length >= MAX_TOKENS) break;
    const run = withoutApostrophes(match);
    if (UNSPACED.test(run)) {
      const locale = SEGMENTED[language] ?? 'zh';
      for (const { segment, isWordLike } of segmenterOf(locale).segment(run.slice(0, MAX_TOKENS))) {
        if (isWordLike === true) words.push(segment.slice(0, LONGEST_WORD));
      }
    } else if (run !== '') {
      words.push((language === 'vi' ? foldDiacritics(run) : run).slice(0, LONGEST_WORD));
    }
  }
  return words.slice(0, MAX_TOKENS);
};

/** The stem under which a word is indexed. */
export const stemOf = (word: string, language: Language): string => stemmerOf(language)(word);

/** What a word is indexed under; '' for a stop word. */
const termOf: (language: Language) => (word: string) => string = ofLanguage((language) => {
  const stop = stopWordsOf(language);
  return (word) => (stop.has(word) ? '' : stemOf(word, language));
});

/** Count of each stem in a text, without stop words. */
export const termsOf = (text: string, language: Language): Map<string, number> => {
  const term = termOf(language);
  const counts = new Map<string, number>();
  const count = (stem: string): void => {
    if (stem !== '') counts.set(stem, (counts.get(stem) ?? 0) + 1);
  };
  if (!isPlain(text)) for (const word of allWords(text, language)) count(term(word));
  else {
    for (const { word, terms } of plainWordsOf(text).slice(0, MAX_TOKENS)) {
      let stem = terms.get(language);
      if (stem === undefined) terms.set(language, (stem = word === '' ? '' : term(word)));
      count(stem);
    }
  }
  return counts;
};
