import type { EventTime } from '../event-time.js';
import type { NumberReader, NumbersInText } from '../numbers.js';

interface Said {
  readonly content: string;
  readonly at: string;
}

/** What the numbers of a fact are checked against. */
export interface NumberEvidence {
  /** The fact's words: digits that stand one by one in them are a single number. */
  readonly text: string;
  /** The cited messages, and those that they answer. */
  readonly cited: readonly Said[];
  /** Everything that was read. Dates may follow from any of it: "the reminder of the appointment on 21 January". */
  readonly read: readonly Said[];
  /** The quotes that state the fact. */
  readonly quotes: readonly string[];
  /** Texts of the existing records that the fact is related to; their numbers need no other source. */
  readonly records: readonly string[];
  readonly eventTime: EventTime | null;
}

/**
 * How a fact's numbers follow from what it cites:
 *
 * - `proven`: all of them do
 * - `doubtful`: one does not, but nothing shows that it is wrong
 * - `contradicted`: one does not, and the quotes have another number in its place
 */
export type NumberVerdict = 'proven' | 'doubtful' | 'contradicted';

/**
 * Checks the numbers of a fact. The words of the messages are read only where their digits do not settle it, because
 * that is much slower.
 *
 * @param fact the numbers of the fact, as `readNumbers` finds them
 */
export const checkNumbers = (
  fact: NumbersInText,
  evidence: NumberEvidence,
  { readDigits, readNumbers }: { readonly readDigits: NumberReader; readonly readNumbers: NumberReader },
): NumberVerdict =>
  fact.numbers.length === 0 || check(fact, evidence, readDigits) === 'proven'
    ? 'proven'
    : check(fact, evidence, readNumbers);

const check = (fact: NumbersInText, evidence: NumberEvidence, read: NumberReader): NumberVerdict => {
  const said = evidence.cited.map(({ content, at }) => read(content, at));
  const told = [...said, ...evidence.records.map((record) => read(record, ''))];
  const known = numbersOf(told, [
    ...evidence.cited.map(({ at }) => at.slice(0, 10)),
    evidence.eventTime?.from ?? '',
    evidence.eventTime?.to ?? '',
  ]);
  const stated = statedIn(fact, evidence.text);
  const afternoon = new Set([...evidence.text.matchAll(AFTERNOON)].map(([hour]) => hour));
  const series = [told.flatMap(({ numbers }) => [...numbers, '']), said.flatMap(({ numbers }) => numbers)].map(
    seriesOf,
  );
  const isDictated = dictated(series);
  const spelled = spelledIn(evidence.text);
  const isAltered = spelled.some((number) => !series.some(({ digits }) => digits.includes(number)));
  const isProven = (number: string): boolean =>
    known.has(bare(number)) ||
    isShortYear(number, known) ||
    isDictated(number) ||
    (afternoon.has(number) && known.has(String(Number(number) - 12))) ||
    (number.length === 1 && spelled.some((digits) => digits.includes(number)));
  const missing = stated.slice(0, MAX_CHECKED).filter((number) => !isProven(number));
  const dated = new Set(missing.length === 0 ? [] : fact.dates.flatMap((words) => read(words, '').numbers));
  const anywhere = missing.some((number) => dated.has(number))
    ? numbersOf(evidence.read.map(({ content, at }) => read(content, at)))
    : new Set<string>();
  const unproven = missing.filter((number) => !dated.has(number) || !anywhere.has(bare(number)));
  if (isAltered) return 'contradicted';
  if (unproven.length === 0) return stated.length > MAX_CHECKED ? 'doubtful' : 'proven';
  const used = new Set([...fact.numbers, ...fact.also].map(bare));
  const all = [...used].join(' ');
  const unused = new Set(
    [...new Set(evidence.quotes.flatMap((quote) => read(quote, '').numbers))]
      .slice(0, MAX_CHECKED)
      .map(bare)
      .filter((number) => !used.has(number) && !all.includes(number))
      .map((number) => number.length),
  );
  const isDictatedOtherwise = evidence.quotes.some((quote) => hasSpelled(read(quote, '').numbers));
  const isOther = (number: string): boolean =>
    unused.has(bare(number).length) || (number.length >= LEAST_SPELLED && isDictatedOtherwise);
  return unproven.some((number) => !dated.has(number) && isOther(number)) ? 'contradicted' : 'doubtful';
};

/** Fewer digits one by one may be several numbers. */
const LEAST_SPELLED = 4;
const SPELLED = /(?<![\p{L}\p{N}])\d(?:[ -]\d){3,}(?![\p{L}\p{N}])/gu;
const spelledIn = (text: string): string[] => (text.match(SPELLED) ?? []).map((digits) => digits.replace(/[ -]/g, ''));

/** Whether numbers are the digits of a longer one, said one by one. */
const hasSpelled = (numbers: readonly string[]): boolean =>
  numbers.some((_, at) =>
    Array.from({ length: LEAST_SPELLED }, (__, more) => numbers[at + more]?.length).every((length) => length === 1),
  );

/** Hours after noon of times like "14:30", which may have been said as "two thirty". */
const AFTERNOON = /(?<![\d:.])(?:1[3-9]|2[0-3])(?=:[0-5]\d(?![\d:]))/g;

/** "10:00" says no more than "ten", and the word "one" may be an article. */
const statedIn = ({ numbers }: NumbersInText, text: string): string[] => {
  const hasOne = /(?<!\d)1(?!\d)/.test(text);
  return [...new Set(numbers)].filter((number) => number !== '00' && (number !== '1' || hasOne));
};

/** All readings of the numbers in texts, and the parts of their days. */
const numbersOf = (texts: readonly NumbersInText[], days: readonly string[] = []): ReadonlySet<string> =>
  new Set(
    [
      ...texts.flatMap(({ numbers, also }) => [...numbers, ...also]),
      ...[...texts.flatMap((text) => text.days), ...days].flatMap((day) => day.split('-')),
    ].map(bare),
  );

/** A text with more distinct numbers than this is no single fact. */
const MAX_CHECKED = 50;

/** Without leading zeros, which "05 March" has and "5 March" has not. */
const bare = (number: string): string => number.replace(/^0+(?=\d)/, '');

/** The year 1985 may be said as "85". */
const isShortYear = (number: string, known: ReadonlySet<string>): boolean =>
  /^(?:19|20)\d\d$/.test(number) && known.has(bare(number.slice(2)));

/** Numbers in a row, and where each begins. */
interface Series {
  readonly digits: string;
  readonly starts: ReadonlySet<number>;
}

/** @param numbers an empty one separates */
const seriesOf = (numbers: readonly string[]): Series => {
  const starts = new Set<number>();
  let length = 0;
  const parts = numbers.map((number) => {
    starts.add(length);
    length += number === '' ? 1 : number.length;
    return number === '' ? ' ' : number;
  });
  return { digits: parts.join(''), starts: starts.add(length) };
};

/** Whether neighbouring numbers make up a number: "double four, seven one two" is 44712. */
const dictated =
  (all: readonly Series[]) =>
  (number: string): boolean =>
    all.some(({ digits, starts }) => {
      for (let tries = 0, at = digits.indexOf(number); at >= 0 && tries < MAX_TRIES; tries += 1) {
        if (starts.has(at) && starts.has(at + number.length)) return true;
        at = digits.indexOf(number, at + 1);
      }
      return false;
    });
const MAX_TRIES = 1_000;
