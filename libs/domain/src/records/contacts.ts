import { withoutEnd } from '../text/without-end.js';

/** Letters and digits include full-width forms, as a Chinese or Japanese keyboard writes them. */
const EMAIL = /[\p{L}\p{N}_.+-]{1,64}[@＠][\p{L}\p{N}-]{1,63}(?:[.．][\p{L}\p{N}-]{1,63}){1,4}/gu;
/** Digits with the separators of phone numbers between them; possibly several numbers. */
const DIGITS = /[+＋]?[(（]?\p{Nd}(?:[\p{Zs}().\-/–‐‑（）．－／]{0,4}\p{Nd}){6,}/gu;
/** E.164 allows 15 digits; numbers of fewer than eight digits cannot be told from amounts. */
const [MIN_DIGITS, MAX_DIGITS] = [8, 15];

/** "06/12/34/56/78" begins like a date. */
const IN_PAIRS = /^0\d(?:[ ./-]\d\d){4}(?!\d)/;
/** Dates and date ranges, decimals, amounts with thousands separators, and numbers in the format of cards. */
const NOT_A_NUMBER_TO_CALL =
  /^(?:\d{4}[./-]\d{1,2}[./-]\d{1,2}|\d{1,2}[./-]\d{1,2}[./-]\d{4}|\d{1,2}[./]\d{4}|\d{1,2}\/\d{1,2}|(?:19|20)\d\d ?[ /-] ?(?:19|20)\d\d|\d{1,3}\.\d+(?!\.)|[1-9]\d{0,2}(?: \d{3}){1,4}(?! ?[\d/(-])|[1-9]\d{0,2}(?:\.\d{3}){2,4}(?![\d.])|(?:\d{4}[ -]){3}\d{4})(?!\d)/;
/** "Pages 1000–2000" */
const SPAN = /^\d{1,4} ?[–/] ?\d{1,4}$/;

interface Group {
  readonly start: number;
  readonly end: number;
  /** The characters before the group, e.g. ") ". */
  readonly before: string;
  readonly startsWithZero: boolean;
}

/** The text with `…` in place of e-mail addresses and phone numbers. */
export const withoutContacts = (text: string): string =>
  text.replace(EMAIL, '…').replace(DIGITS, (digits) => withoutNumbers(digits));

/** Whether a text contains an e-mail address or a phone number. */
export const holdsContact = (text: string): boolean => withoutContacts(text) !== text;

const withoutNumbers = (digits: string): string => {
  const plain = digits
    .normalize('NFKC')
    .replace(/\p{Zs}/gu, ' ')
    .replace(/\p{Nd}/gu, (digit) => (/\d/.test(digit) ? digit : '0'));
  const dashed = plain.replace(/[–‐‑]/g, '-');
  // A digit outside the basic plane has two code units, so the places differ.
  if (plain.length !== digits.length || SPAN.test(plain)) return plain.length === digits.length ? digits : '…';
  let end = 0;
  const groups = [...dashed.matchAll(/\d+/g)].map(({ index: start, 0: number }): Group => {
    const before = dashed.slice(end, start);
    end = start + number.length;
    return { start, end, before, startsWithZero: number.startsWith('0') };
  });
  let rest = '';
  let written = 0;
  for (let at = 0; at < groups.length; at += 1) {
    const { start, before } = groups[at] as Group;
    const here = dashed.slice(start, start + LONGEST_NUMBER);
    const other = before.includes('+') || IN_PAIRS.test(here) ? undefined : NOT_A_NUMBER_TO_CALL.exec(here)?.[0].length;
    if (other !== undefined) {
      while (at + 1 < groups.length && (groups[at + 1] as Group).start < start + other) at += 1;
      continue;
    }
    const last = endOfNumber(groups, at);
    if (last === null) continue;
    // A plus and an opening bracket belong to the number.
    const from = start - before.length + withoutEnd(before, /[+(]/).length;
    rest += `${digits.slice(written, from)}…`;
    written = (groups[last] as Group).end;
    at = last;
  }
  return rest + digits.slice(written);
};
/** Enough for 15 digits with their separators. */
const LONGEST_NUMBER = 80;

/** Index of the last group of the number that begins at a group; null if too few or too many digits follow. */
const endOfNumber = (groups: readonly Group[], from: number): number | null => {
  let digits = 0;
  const ends: number[] = [];
  for (let at = from; at < groups.length; at += 1) {
    const { start, end } = groups[at] as Group;
    digits += end - start;
    if (digits > MAX_DIGITS) break;
    if (digits >= MIN_DIGITS) ends.push(at);
  }
  // Two numbers in a row: the first ends where another seems to begin, or where enough digits are left for one.
  const left = (at: number): number => digitsFrom(groups, at + 1);
  return (
    ends.find((at) => isStart(groups[at + 1]) && left(at) >= MIN_DIGITS) ??
    ends.findLast((at) => left(at) === 0 || left(at) >= MIN_DIGITS) ??
    ends.at(-1) ??
    null
  );
};

const isStart = (next: Group | undefined): boolean =>
  next !== undefined && (next.startsWithZero || /[(/]| - | {2}/.test(next.before));
const digitsFrom = (groups: readonly Group[], from: number): number => {
  let digits = 0;
  for (let at = from; at < groups.length && digits < MIN_DIGITS; at += 1) {
    const { start, end } = groups[at] as Group;
    digits += end - start;
  }
  return digits;
};
