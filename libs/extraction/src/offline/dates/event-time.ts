import type { EventTime } from '@turnkeeper/domain';
import {
  addDays,
  addMonths,
  type Day,
  daysBetween,
  dayOf,
  isoDay,
  lastOfMonth,
  MONTH_WORD,
  monthNumber,
  weekdayNumber,
  weekdayOf,
} from './calendar.js';
import { withNamedYear } from './named-year.js';
import type { Tense } from './phrases.js';
import { HINT, momentOf, PHRASE, tenseOf } from './resolve.js';

const MONTH = `(${MONTH_WORD})`;
const DAY_MONTH = new RegExp(String.raw`\b(\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH}\b(?:,? (\d{4}))?`, 'i');
const MONTH_DAY = new RegExp(String.raw`\b${MONTH} (?:the )?(\d{1,2})(?:st|nd|rd|th)?\b(?!:)(?:,? (\d{4}))?`, 'i');
const MONTH_YEAR = new RegExp(String.raw`\b${MONTH},? (\d{4})\b`, 'i');
/** "2-13 March", "from the 2nd to the 13th of March", "May 3 to 9": both days. */
const DAYS_MONTH = new RegExp(
  String.raw`\b(\d{1,2})(?:st|nd|rd|th)? ?(?:-|–|to|till|until|and) ?(?:the )?(\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH}\b(?:,? (\d{4}))?`,
  'i',
);
const MONTH_DAYS = new RegExp(
  String.raw`\b${MONTH} (?:the )?(\d{1,2})(?:st|nd|rd|th)? ?(?:-|–|to|till|until) ?(?:the )?(\d{1,2})(?:st|nd|rd|th)?\b(?!:)(?:,? (\d{4}))?`,
  'i',
);
/** "28 May to 3 June": what follows the first day. */
const TO_OTHER_MONTH = new RegExp(
  String.raw`^ ?(?:-|–|to|till|until|through|and) ?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,? )?(?:the )?(?:(\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH}|${MONTH} (?:the )?(\d{1,2})(?:st|nd|rd|th)?)\b(?!:)(?:,? (\d{4}))?`,
  'i',
);
/** "2019 to 2021", "March 2019 to May 2021". */
const TO_OTHER_YEAR = new RegExp(String.raw`^ ?(?:-|–|to|till|until|through) ?(?:${MONTH},? )?((?:19|20)\d\d)\b`, 'i');
/** "The exam was moved from 3 May to 10 May": the second day counts. */
const MOVED = new RegExp(
  String.raw`\b(?:moved|changed|rescheduled|postponed|shifted|switched|delayed|pushed|brought forward)\b.{0,40} from (?:the )?(?:\w+day,? )?(?:\d{1,2}\b|${MONTH} (?:the )?\d)`,
  'i',
);
const WEEKDAY_BEFORE = /\b((?:mon|tues|wednes|thurs|fri|satur|sun)day),? (?:the )?$/i;
/** What was arranged lies ahead more often than behind: "I signed up for the race on 10 May". */
const ARRANGED =
  /\b(?:booked|reserved|registered|signed up|scheduled|rescheduled|postponed|filed|applied|ordered|requested|arranged|cancell?ed|confirmed|invited|enrolled|planned)\b/i;
const YEAR = /\b(in|since|until|till|from|during|of) (19\d\d|20\d\d)\b/gi;
/** What can begin in a year: "worked there from 2015". Else the year is that of a thing: "songs from 1980". */
const LASTS =
  /\b(?:(?:have|has|had|['’]ve)(?: \w+)? (?:been|had|\w+ed|taught|run|sung|sold|kept|held|led|driven|grown|built)|(?:was|were)(?! (?:given|sent|shown|lent|left|handed|offered|gifted)\b)|lived|worked|stayed|studied|trained|taught|played|sang|coached|served|managed|ran|led|owned|rented|volunteered|attended|practi[sc]ed|smoked|dated|commuted|travell?ed)\b/i;
const SINCE = /\b(?:since|from)\s*$/i;
/** "A receipt from 12 May" is of that day: nothing begins. */
const DATED_THING =
  /\b(?:receipt|letter|e-?mail|message|note|bill|invoice|statement|ticket|photo|picture|postcard|card|video|recording|newspaper|article|report|results?|scan|order|screenshot|complaint|payment|transaction|charge|purchase|parcel|package|delivery|booking)s? from\s*$/i;
const UNTIL = /\b(?:until|till|through|up to|by)\s*$/i;
const UNTIL_DAY =
  /\b(?:until|till|through|by) (?:next |this )?(?:((?:mon|tues|wednes|thurs|fri|satur|sun)day)|(tomorrow|tonight)|(next week|the end of the week)|(next month|the end of the month))\b/i;
/** "until Saturday, 2 May": the date says which Saturday. */
const DATE_OF_WEEKDAY = new RegExp(
  String.raw`^,? (?:the )?(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? ${MONTH}|${MONTH} (?:the )?\d{1,2})\b`,
  'i',
);
const FOR =
  /\bfor (?:the next |another |about )?(\d{1,2}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|a few|a couple of) (day|week|month|year)s?\b/i;
const SPAN =
  /\bfor (\d{1,2}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve) (year|month|week)s?(?: now)?\b/i;
const NUMBERS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  'a few': 3,
  'a couple of': 2,
};
/** Recurring events: they have no single calendar day. */
const YEARLY =
  /\b(?:(?:birthday|anniversary)(?! (?:party|dinner|lunch|trip|celebration|do|bash)\b)|every|each(?! (?:time|other|of)\b))\b/i;

/**
 * The days that a clause refers to; its first date decides. Returns null if it names none.
 *
 * @param at when it was said, ISO 8601; days are at its own offset
 */
export const eventTimeOf = (said: string, at: string): EventTime | null => {
  const today = dayOf(at);
  if (today === null) return null;
  const clause = withNamedYear(said, today);
  const tense = tenseOf(clause);
  return (
    untilOf(clause, today, tense) ??
    lastingOf(clause, today, tense) ??
    relativeOf(clause, today, tense) ??
    datedOf(clause, today, tense)
  );
};

const range = (from: Day | null, to: Day | null): EventTime => ({
  from: from === null ? null : isoDay(from),
  to: to === null ? null : isoDay(to),
});

const relativeOf = (clause: string, today: Day, tense: Tense): EventTime | null => {
  if (!HINT.test(clause)) return null;
  for (const match of clause.matchAll(PHRASE)) {
    const phrase = match[0];
    const behind = clause.slice(match.index + phrase.length);
    // "yesterday's race"; but "tomorrow's gonna be fun"
    if (/^['’]s\b(?! (?:gonna|going to)\b)/.test(behind)) continue;
    const before = clause.slice(0, match.index);
    const moment = momentOf(phrase, today, tense) ?? eitherWeek(phrase, today);
    if (moment === null) continue;
    // "Still owe 300 from last year"
    if (/\bfrom\s*$/i.test(before) && daysBetween(today, moment.from) < 0 && !LASTS.test(before)) continue;
    if (SINCE.test(before)) return range(moment.from, null);
    if (UNTIL.test(before)) return range(today, moment.to);
    return range(moment.from, moment.to);
  }
  return null;
};

/** "next Friday" is ambiguous: the first or the second one from today. */
const eitherWeek = (phrase: string, today: Day): { from: Day; to: Day } | null => {
  const target = weekdayNumber(/^next (\w+)/i.exec(phrase)?.[1] ?? '');
  if (target === null) return null;
  const first = addDays(today, (target - weekdayOf(today) + 7) % 7 || 7);
  return { from: first, to: addDays(first, 7) };
};

const untilOf = (clause: string, today: Day, tense: Tense): EventTime | null => {
  const match = UNTIL_DAY.exec(clause);
  // "It broke last night and they can't come until Monday"
  if (match === null || relativeOf(clause.slice(0, match.index), today, tense) !== null) return null;
  const [, weekday, tomorrow, week] = match;
  if (DATE_OF_WEEKDAY.test(clause.slice(match.index + match[0].length))) return null;
  if (weekday !== undefined)
    return range(today, addDays(today, ((weekdayNumber(weekday) ?? 0) - weekdayOf(today) + 7) % 7 || 7));
  if (tomorrow !== undefined) return range(today, /tomorrow/i.test(tomorrow) ? addDays(today, 1) : today);
  return range(today, week !== undefined ? addDays(today, 7) : lastOfMonth(today));
};

/** "staying in Lyon for two months" has an end; "have lived here for two years" has a start. */
const lastingOf = (clause: string, today: Day, tense: Tense): EventTime | null => {
  const match = FOR.exec(clause) ?? SPAN.exec(clause);
  if (match === null) return null;
  const count = NUMBERS[(match[1] ?? '').toLowerCase()] ?? Number(match[1]);
  const unit = (match[2] ?? '').toLowerCase();
  const shift = (day: Day, sign: number): Day =>
    unit === 'day'
      ? addDays(day, sign * count)
      : unit === 'week'
        ? addDays(day, sign * count * 7)
        : addMonths(day, sign * count * (unit === 'year' ? 12 : 1));
  if (
    /\b(?:have|has|['’]ve|['’]s) (?:\w+ )?(?:been|lived|worked|had|known|owned|played|studied|taught|run)\b/i.test(
      clause,
    )
  ) {
    return unit === 'year' ? range({ ...shift(today, -1), month: 1, day: 1 }, null) : range(shift(today, -1), null);
  }
  if (tense !== 'future' || !/\b(?:am|are|is|['’]m|['’]re|will)\b/i.test(clause)) return null;
  // "I'm leaving on Saturday for three weeks": the time begins then.
  const start = relativeOf(clause, today, tense) ?? datedOf(clause, today, tense);
  if (start === null) return range(today, shift(today, 1));
  const first = start.to === null || start.from === start.to ? dayOf(start.from ?? '') : null;
  return first === null ? start : range(first, shift(first, 1));
};

const datedOf = (clause: string, today: Day, tense: Tense): EventTime | null => {
  if (YEARLY.test(clause)) return null;
  const days = daysOf(clause, today, tense) ?? numericOf(clause, today);
  if (days !== null) return days;
  const dayMonth = DAY_MONTH.exec(clause);
  const monthDay = dayMonth === null ? MONTH_DAY.exec(clause) : null;
  const found = dayMonth ?? monthDay;
  if (found !== null) {
    const [word, number] = dayMonth === null ? [found[1], found[2]] : [found[2], found[1]];
    const month = monthNumber(word ?? '');
    const day = Number(number);
    if (month === null || day < 1 || day > 31) return null;
    const before = clause.slice(0, found.index).replace(/\b(?:the|\w+day,?) $/i, '');
    const isOfThing = DATED_THING.test(before);
    const isSince = !isOfThing && SINCE.test(before);
    const isUntil = UNTIL.test(before);
    const isPast = isOfThing || (isSince && !/from\s*$/i.test(before));
    const told = isPast ? 'past' : isUntil && tense !== 'past' ? 'future' : tense;
    const end = endInOtherMonth(clause.slice(found.index + found[0].length), /\bbetween $/i.test(before));
    const yearsLater = end !== null && end.month < month ? 1 : 0;
    const given = found[3] ?? (end?.year === undefined ? undefined : end.year - yearsLater);
    const year = given === undefined ? yearOf({ month, day }, clause, found.index, today, told) : Number(given);
    const named = { year, month, day };
    if (end !== null && !isUntil) return fromTo(named, { ...end, year: end.year ?? year + yearsLater }, clause);
    const last = isUntil ? null : endOfMonth(clause.slice(found.index + found[0].length), named);
    if (last !== null) return range(named, last);
    if (isSince) return range(named, null);
    if (isUntil && daysBetween(today, named) >= 0) return range(today, named);
    return range(named, named);
  }
  const monthYear = MONTH_YEAR.exec(clause);
  const month = monthNumber(monthYear?.[1] ?? '');
  if (monthYear !== null && month !== null) {
    const first = { year: Number(monthYear[2]), month, day: 1 };
    const end = endInOtherYear(clause.slice(monthYear.index + monthYear[0].length));
    if (end !== null) return range(first, end);
    const before = clause.slice(0, monthYear.index);
    const last = lastOfMonth(first);
    if (SINCE.test(before) && !DATED_THING.test(before)) return range(first, null);
    return UNTIL.test(before) && daysBetween(today, last) >= 0 ? range(today, last) : range(first, last);
  }
  return inYearOf(clause, today);
};

const inYearOf = (clause: string, today: Day): EventTime | null => {
  for (const { index, 0: phrase, 1: word = '', 2: year } of clause.matchAll(YEAR)) {
    const first = { year: Number(year), month: 1, day: 1 };
    const last = { ...first, month: 12, day: 31 };
    const behind = clause.slice(index + phrase.length);
    if (/since/i.test(word)) return range(first, endInOtherYear(behind));
    if (/until|till/i.test(word)) return range(null, last);
    if (!/from/i.test(word)) return range(first, last);
    const end = endInOtherYear(behind);
    const begins =
      end !== null ||
      /^ on(?:wards?)?\b/i.test(behind) ||
      first.year > today.year ||
      LASTS.test(clause.slice(0, index));
    if (begins && !DATED_THING.test(`${clause.slice(0, index)}from`)) return range(first, end);
  }
  return null;
};

const NUMERIC = /(?<![\d/.-])(?:(\d{4})-(\d{1,2})-(\d{1,2})|(\d{1,2})([/.])(\d{1,2})\5(\d{4}))(?![\d/-])/;
/** "2026-05-14", "14/05/2026", "05/14/2026", "14.05.2026"; "05/06/2026" is ambiguous. */
const numericOf = (clause: string, today: Day): EventTime | null => {
  const found = NUMERIC.exec(clause);
  if (found === null) return null;
  const [one, other] = [Number(found[4]), Number(found[6])];
  if (found[1] === undefined && found[5] === '/' && one !== other && one <= 12 && other <= 12) return null;
  const monthFirst = found[5] === '/' && other > 12;
  const named =
    found[1] === undefined
      ? { year: Number(found[7]), month: monthFirst ? one : other, day: monthFirst ? other : one }
      : { year: Number(found[1]), month: Number(found[2]), day: Number(found[3]) };
  if (named.month < 1 || named.month > 12 || named.day < 1 || named.day > 31) return null;
  const before = clause.slice(0, found.index);
  if (SINCE.test(before) && !DATED_THING.test(before)) return range(named, null);
  return UNTIL.test(before) && daysBetween(today, named) >= 0 ? range(today, named) : range(named, named);
};

/** "from 2 to 13 March". */
const daysOf = (clause: string, today: Day, tense: Tense): EventTime | null => {
  const daysMonth = DAYS_MONTH.exec(clause);
  const found = daysMonth ?? MONTH_DAYS.exec(clause);
  if (found === null) return null;
  const [first, last, word] = daysMonth === null ? [found[2], found[3], found[1]] : [found[1], found[2], found[3]];
  const month = monthNumber(word ?? '');
  const [from, to] = [Number(first), Number(last)];
  if (month === null || from < 1 || from >= to || to > 31) return null;
  const year =
    found[4] === undefined ? yearOf({ month, day: from }, clause, found.index, today, tense) : Number(found[4]);
  return fromTo({ year, month, day: from }, { year, month, day: to }, clause);
};

const fromTo = (first: Day, last: Day, clause: string): EventTime => range(MOVED.test(clause) ? last : first, last);

const endInOtherMonth = (rest: string, isBetween: boolean): (Omit<Day, 'year'> & { readonly year?: number }) | null => {
  const found = TO_OTHER_MONTH.exec(rest);
  const month = monthNumber(found?.[2] ?? found?.[3] ?? '');
  const day = Number(found?.[1] ?? found?.[4]);
  // "On 28 May and 3 June" are two days.
  if (month === null || !(day >= 1 && day <= 31) || (/^ ?and/i.test(rest) && !isBetween)) return null;
  return found?.[5] === undefined ? { month, day } : { month, day, year: Number(found[5]) };
};

/** "… until the end of February": what follows the first day. */
const UNTIL_MONTH = new RegExp(
  String.raw`^ ?(?:to|till|until|through) (?:the end of )?${MONTH}\b(?! \d)(?:,? (\d{4}))?`,
  'i',
);
const endOfMonth = (rest: string, first: Day): Day | null => {
  const found = UNTIL_MONTH.exec(rest);
  const month = monthNumber(found?.[1] ?? '');
  if (month === null) return null;
  const year = found?.[2] === undefined ? first.year + (month < first.month ? 1 : 0) : Number(found[2]);
  return lastOfMonth({ year, month, day: 1 });
};

const endInOtherYear = (rest: string): Day | null => {
  const [, word = '', year] = TO_OTHER_YEAR.exec(rest) ?? [];
  return year === undefined ? null : lastOfMonth({ year: Number(year), month: monthNumber(word) ?? 12, day: 1 });
};

/** The year of a day without one: a weekday beside it decides, else the tense, else what is nearer. */
const yearOf = (
  { month, day }: { readonly month: number; readonly day: number },
  clause: string,
  at: number,
  today: Day,
  tense: Tense,
): number => {
  const passed = month < today.month || (month === today.month && day <= today.day);
  const [previous, next] = passed ? [today.year, today.year + 1] : [today.year - 1, today.year];
  const weekday = weekdayNumber(WEEKDAY_BEFORE.exec(clause.slice(0, at))?.[1] ?? '');
  const isThatDay = (year: number): boolean => weekdayOf({ year, month, day }) === weekday;
  if (isThatDay(previous) !== isThatDay(next)) return isThatDay(next) ? next : previous;
  if (tense !== 'past') return next;
  if (!ARRANGED.test(clause) && !MOVED.test(clause)) return previous;
  const distance = (year: number): number => Math.abs(daysBetween(today, { year, month, day }));
  return distance(next) < distance(previous) ? next : previous;
};
