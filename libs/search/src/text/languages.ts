import { plainWordsOf, type PlainWord } from './plain-words.js';

/** Languages with their own stemming or segmentation rules. All other text is split into words without stemming. */
export const LANGUAGES = ['en', 'vi', 'zh', 'ja', 'th', 'de', 'es', 'fr', 'it', 'pt', 'nl', 'ru', 'xx'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Letters used only in Vietnamese. */
const VIETNAMESE = /[ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/giu;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const HAN = /\p{Script=Han}/u;
const THAI = /\p{Script=Thai}/u;
const CYRILLIC = /\p{Script=Cyrillic}/u;
const LATIN_WORDS = /[\p{Script=Latin}]+/gu;
/** Most text is plain, and much about plain text needs no look at it. */
export const isPlain = (text: string): boolean => PLAIN.test(text);
const PLAIN = /^\p{ASCII}*$/u;

/** Frequent short words that are unique to one of these languages; only English counts against them. */
const FREQUENT: Readonly<Partial<Record<Language, ReadonlySet<string>>>> = {
  en: new Set('the and is are was you your my it to of in for that have with what did not this be on we i'.split(' ')),
  de: new Set('der und ich ist nicht ein eine mit mein wir sie auf zu habe für auch aber wie'.split(' ')),
  es: new Set('el los las y mi yo con por muy pero está qué hoy tengo una esta cuando'.split(' ')),
  fr: new Set('les des je est une et mon dans avec pour pas vous nous suis du sur mais'.split(' ')),
  it: new Set('il gli che è sono di mio anche nel della ma perché questo molto'.split(' ')),
  pt: new Set('os não é meu minha com em você estou muito uma mas isso hoje foi'.split(' ')),
  nl: new Set('het een ik niet met mijn je op dat voor ook zijn maar wat'.split(' ')),
  vi: new Set('toi ban khong cua duoc nhung mot nay cho anh roi thi gi nao minh'.split(' ')),
};
/** By word: the languages that it is frequent in. A look-up per word: this runs for every word that is indexed. */
const LANGUAGES_OF: ReadonlyMap<string, readonly Language[]> = (() => {
  const languages = new Map<string, Language[]>();
  for (const [language, frequent] of Object.entries(FREQUENT) as [Language, ReadonlySet<string>][]) {
    for (const word of frequent) languages.set(word, [...(languages.get(word) ?? []), language]);
  }
  return languages;
})();
/** Minimum number of frequent words to recognise a language, and their minimum share of all words. */
const LEAST_FREQUENT = 2;
const LEAST_SHARE = 0.15;
/** Only this many characters are examined, which is enough to recognise the language. */
const LOOK_AT = 2_000;

/**
 * Detects the language of a text by its script and its frequent words.
 *
 * @param fallback for undecidable text such as "ok"; the language of the session so far
 */
export const detectLanguage = (text: string, fallback: Language = 'en'): Language => {
  const head = text.slice(0, LOOK_AT);
  const plain = isPlain(head);
  const shown = plain ? null : languageOfScript(head);
  if (shown !== null) return shown;
  const counts = new Map<Language, number>();
  let words = 0;
  const count = (languages: readonly Language[] | undefined): void => {
    for (const language of languages ?? []) counts.set(language, (counts.get(language) ?? 0) + 1);
  };
  if (plain) {
    for (const word of plainWordsOf(head)) {
      words += word.letters.length;
      count(languagesOf(word));
    }
  } else {
    for (const word of head.toLowerCase().match(LATIN_WORDS) ?? []) {
      words += 1;
      count(LANGUAGES_OF.get(word));
    }
  }
  const [best, second] = [...counts].sort(([, a], [, b]) => b - a);
  if (best === undefined || best[1] < LEAST_FREQUENT || best[1] === second?.[1]) return fallback;
  return best[1] >= LEAST_SHARE * words ? best[0] : fallback;
};

const languagesOf = (word: PlainWord): readonly Language[] =>
  (word.languages ??= word.letters.flatMap((letters) => LANGUAGES_OF.get(letters) ?? [])) as readonly Language[];

const languageOfScript = (text: string): Language | null => {
  if (KANA.test(text)) return 'ja';
  if (HAN.test(text)) return 'zh';
  if (THAI.test(text)) return 'th';
  if (CYRILLIC.test(text)) return 'ru';
  return (text.normalize('NFC').match(VIETNAMESE)?.length ?? 0) > 1 ? 'vi' : null;
};
