import { readDigits, type NumberReader } from '@turnkeeper/domain';
import { PARSERS } from '../notes/dates.js';
import { type CheckedWords, NUMBER_WORDS } from './number-words.js';
import { spelledAt } from './spelled.js';

/** Longer texts are read by their beginning: the time that a date parser takes grows with every word. */
const LONGEST = 4_000;

/** A shorter text ("cuarenta y cinco") may have no other word that shows its language. */
const SHORT = 80;

/**
 * Reads numbers, times and dates in digits and in words: "double five", "eighty one", "half past four", "next Thursday".
 * A text may mix languages. Words that are numbers in one language and something else in another only give further
 * readings (`also`).
 */
export const readNumbers: NumberReader = (text, at) => {
  const part = text.slice(0, LONGEST);
  const digits = readDigits(part, at);
  const languages = NUMBER_WORDS.filter(({ sign }) => sign.test(part));
  const spoken = languages.map((language) => numbersOf(part, language));
  const sure = languages.map((language) => numbersOf(part, language, true));
  const others = part.length > SHORT ? [] : NUMBER_WORDS.filter((language) => !languages.includes(language));
  const best = sure.reduce<readonly string[]>((one, other) => (other.length > one.length ? other : one), []);
  const dates = datesIn(part, at, languages);
  return {
    numbers: best.length > digits.numbers.length ? best : digits.numbers,
    also: [
      ...digits.also,
      ...digits.numbers,
      ...spoken.flat(),
      ...others.flatMap((language) => numbersOf(part, language)),
      ...languages.flatMap((language) => fractionsIn(part, language, spoken.flat())),
      ...dates.times,
    ],
    days: [...digits.days, ...dates.days],
    dates: [...digits.dates, ...dates.words],
    nounsHaveCapitals: languages.some(({ code }) => code === 'de'),
  };
};

const WORD = /\d+|\p{Script=Han}|\p{L}[\p{L}\p{M}]*/gu;

/** Digits and number words in the order of the text; neighbours that are one number ("eighty one") are joined. */
const numbersOf = (text: string, language: CheckedWords, onlySure = false): string[] => {
  const { values, scales, repeat, unsure } = language;
  const words: readonly string[] = readableNumbers(text).toLowerCase().match(WORD) ?? [];
  const isNumber = (word = ''): boolean => /^\d/.test(word) || values.has(word) || scales.has(word);
  const isUnsure = (at: number): boolean =>
    unsure?.test(words[at] ?? '') === true && !isNumber(words[at - 1]) && !isNumber(words[at + 1]);
  const found: string[] = [];
  for (let at = 0; at < words.length;) {
    const word = words[at] ?? '';
    const times = repeat.get(word);
    const next = words[at + 1] ?? '';
    const digit = /^\d$/.test(next) ? next : String(values.get(next) ?? '');
    if (times !== undefined && digit.length === 1) {
      found.push(digit.repeat(times));
      at += 2;
    } else if (/^\d/.test(word)) {
      const scale = scales.get(next);
      found.push(scale === undefined ? word : String(Number(word) * scale));
      at += scale === undefined ? 1 : 2;
    } else {
      const spelled = spelledAt(words, at, language);
      if (spelled !== null && !(onlySure && isUnsure(at))) found.push(String(spelled.value));
      at += spelled?.used ?? 1;
    }
  }
  return found;
};

/** "1,200", "20GB" and "zweihundertvierzig" as digits and words of their own. */
const readableNumbers = (text: string): string =>
  text
    .replaceAll(/hundert|tausend|einhalb/giu, ' $& ')
    .replaceAll(/(?<=(?<!\d)\d{1,3})[,.'’](?=\d{3}(?!\d))/g, '')
    .replaceAll(/(?<=\d)(?=\p{L})|(?<=\p{L})(?=\d)/gu, ' ');

/** Minutes and decimal places of halves and quarters. */
const FRACTIONS = ['30', '15', '45', '5', '50', '25', '75'];

/** "Half past four" may be 4:30 or 16:30, "quarter to five" 4:45 or 16:45, "six and a half" 6.5. */
const fractionsIn = (text: string, { fractions, afternoon }: CheckedWords, spoken: readonly string[]): string[] => {
  const found: string[] = [];
  const hours = [...spoken, ...(text.match(/\d+/g) ?? [])].map(Number).filter((hour) => hour >= 1 && hour <= 12);
  const isFraction = text.search(fractions) >= 0;
  if (isFraction) found.push(...FRACTIONS);
  if (isFraction || afternoon.test(text))
    for (const hour of hours) found.push(...[hour - 1, hour, hour + 11, hour + 12].map(String));
  return found;
};

/** Days and times that date parsers find. A text without a known time is read as of today's date in no zone. */
const datesIn = (text: string, at: string, languages: typeof NUMBER_WORDS) => {
  const said = Date.parse(at);
  const instant = new Date(Number.isNaN(said) ? 0 : said);
  const found = languages.flatMap(({ code }) => PARSERS[code](text, { instant, timezone: 0 }, { forwardDate: false }));
  const components = found.flatMap(({ start, end }) => [start, ...(end == null ? [] : [end])]);
  return {
    words: [...new Set(found.map((result) => result.text))],
    days: Number.isNaN(said) ? [] : components.map((day) => day.date().toISOString().slice(0, 10)),
    times: components
      .filter((time) => time.isCertain('hour'))
      .flatMap((time) => [String(time.get('hour')), String(time.get('minute'))]),
  };
};
