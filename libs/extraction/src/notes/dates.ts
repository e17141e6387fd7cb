import { parse as parseDe } from 'chrono-node/de';
import { parse as parseEn } from 'chrono-node/en';
import { parse as parseEs } from 'chrono-node/es';
import { parse as parseFr } from 'chrono-node/fr';
import { parse as parsePt } from 'chrono-node/pt';
import { parse as parseVi } from 'chrono-node/vi';
import { hans } from 'chrono-node/zh';
import type { EventTime } from '@turnkeeper/domain';
import type { LanguageCode, Lexicon } from './languages/lexicon.js';

/** What of a chrono result is used; its locales share no exported type. */
interface Components {
  isCertain(component: 'day' | 'weekday' | 'month' | 'year' | 'hour'): boolean;
  get(component: 'hour' | 'minute'): number | null;
  date(): Date;
}
interface Found {
  readonly text: string;
  readonly index: number;
  readonly start: Components;
  readonly end?: Components | null;
}
type Parser = (
  text: string,
  reference: { instant: Date; timezone: number },
  options: { forwardDate: boolean },
) => readonly Found[];

export const PARSERS: Readonly<Record<LanguageCode, Parser>> = {
  en: parseEn,
  de: parseDe,
  es: parseEs,
  fr: parseFr,
  pt: parsePt,
  vi: parseVi,
  zh: (text, reference, options) => hans.parse(text, reference, options),
};

/** A date costs more to read than anything else in a sentence, so only a part around its first sign is read. */
const LONGEST_READ = 120;
const BEFORE_SIGN = 30;

/** A day or time that a text names. */
interface NamedTime {
  readonly text: string;
  /** `2023-05-10`; null if the text names no day. */
  readonly day: string | null;
  /** `16:30`; null if the text names no time of day. */
  readonly time: string | null;
  readonly range: EventTime | null;
}

const DIGIT = /\d/;
/** "Half past four", "las cuatro y media", "halb vier", "quatre heures et demie": left out, because chrono reads the hour alone. */
const PART_OF_HOUR =
  /(?<!\p{L})(?:half|quarter|(?:five|ten|twenty|\d{1,2}) (?:minutes )?(?:past|to)|y (?:media|cuarto)|menos|halb|viertel|et (?:demie|quart)|moins|e meia|rưỡi|kém)(?!\p{L})|半|刻/iu;
const AFTER_NOON =
  /afternoon|evening|tonight|tarde|noche|nachmittag|abend|après-midi|soir|noite|chiều|(?<!\p{L})tối|下午|晚上/iu;
/** "It feels like yesterday." */
const IDIOM = /\b(?:like|as if it (?:was|were))(?: just| only)? yesterday/i;
/** How long something takes is no day. */
const SPAN_OF_TIME = /^(?:for |within )?(?:\d+|a|an|one|two|three|four|five|six|seven|ten) \p{L}+$/iu;
/** Before the end of a span whose start was not read. */
const UNTIL =
  /(?<!\p{L})(?:to|until|till|through|al?|hasta|bis|zum|au|jusqu['’]au|até|đến|sang)(?: the| el| den| le)?\s*$|[到至]$/iu;
/** A weekday with its day of the month. */
const DAY_AFTER = /^,? (?:the )?\d{1,2}(?![\d:]|\s?(?:am|pm|h|uhr|giờ))/iu;
/** The same, where chrono takes the day of the month for an hour. */
const DAY_AS_HOUR = /^(?:\p{L}{1,4} )?\p{L}{4,},? \d{1,2}(?![\d:]|\s?(?:am|pm|h|uhr|giờ))/iu;
/** A year in words. */
const SPOKEN_YEAR = /(?<!\p{L})(?:nineteen|twenty) (?:hundred|oh|ten|\p{L}+teen|\p{L}+ty)(?!\p{L})/iu;
/** Other words look like these names of days and months. */
const UNSURE = /^(?:may|mar|march|sun|sat|now|dec|set)$/i;

const ORDINAL = /(?:the )?\b\d{1,2}(?:st|nd|rd|th)\b/iu;
/** Where the first day or time that a text names begins; null if it names none. */
export const startOfTime = (text: string, at: string, lexicon: Lexicon): number | null => {
  const named = timeIn(text, at, lexicon);
  const starts = [
    lexicon.relativeDay.exec(text)?.index ?? -1,
    ORDINAL.exec(text)?.index ?? -1,
    named === null ? -1 : text.indexOf(named.text),
  ];
  const first = Math.min(...starts.filter((start) => start >= 0));
  return Number.isFinite(first) ? first : null;
};

/** "On Friday": the one before or the one after, unless the sentence looks ahead. */
const isBareWeekday = ({ text, start }: Found): boolean =>
  start.isCertain('weekday') && !start.isCertain('day') && BARE_WEEKDAY.test(text);
const BARE_WEEKDAY = /^(?:(?:on|el|los|am|le|na|no|a|vào|thứ|chủ) )*[^\s]+$/iu;

/**
 * The first day or time that a text names.
 *
 * @param at when it was said, ISO 8601
 * @param isAhead it speaks of what is to come
 */
export const timeIn = (text: string, at: string, lexicon: Lexicon, isAhead = false): NamedTime | null => {
  const sign = signOf(text, lexicon);
  // The day of the speaker: the offset is left out.
  const said = Date.parse(`${at.slice(0, 19)}Z`);
  if (sign < 0 || Number.isNaN(said) || IDIOM.test(text) || SPOKEN_YEAR.test(text)) return null;
  const forward = isAhead || lexicon.plans.test(text) || lexicon.wants.test(text);
  const from = Math.max(0, sign - BEFORE_SIGN);
  const part = text.slice(from, from + LONGEST_READ);
  const found = PARSERS[lexicon.code](part, { instant: new Date(said), timezone: 0 }, { forwardDate: forward });
  const certain = found.filter(
    (one) => !UNSURE.test(one.text) && !SPAN_OF_TIME.test(one.text) && (forward || !isBareWeekday(one)),
  );
  const days = certain.filter(({ start }) => isDay(start));
  const isOne = new Set(days.map(({ start }) => dayOf(start, said))).size === 1;
  // "From the 3rd to the 7th of May", "miércoles 11": only a part of it was read.
  const isPart = days.some(
    ({ text: word, index, start }) =>
      UNTIL.test(part.slice(0, index)) ||
      DAY_AFTER.test(part.slice(index + word.length)) ||
      (!start.isCertain('day') && DAY_AS_HOUR.test(word)),
  );
  const day = isOne && !isPart ? days[0] : undefined;
  // Chrono reads neither "quarter past" before an hour nor every "in the evening" after one.
  const isLate = ({ start }: Found): boolean => AFTER_NOON.test(part) && (start.get('hour') ?? 0) < 12;
  const timed = certain.find(({ start }) => start.isCertain('hour'));
  const hour = timed === undefined || isPart || PART_OF_HOUR.test(part) || isLate(timed) ? undefined : timed;
  const first = day ?? hour;
  if (first === undefined) return null;
  return {
    text: first.text,
    day: day === undefined ? null : dayOf(day.start, said),
    time: hour === undefined ? null : clockOf(hour.start),
    range: day === undefined ? null : rangeOf(day, said),
  };
};

/** "11:30 on 1 March", said at noon of that day: looking ahead, chrono takes it for a day of the next year. */
const dayOf = (start: Components, said: number): string => {
  const [day, today] = [isoDay(start.date()), isoDay(new Date(said))];
  return !start.isCertain('year') && day.slice(5) === today.slice(5) ? today : day;
};

const MONTHS_AND_CLOCK =
  /(?<!\p{L})(?:jan(?:uary|uar|vier|eiro)?|enero|feb(?:ruary|ruar|rero)?|février|fevereiro|mar(?:ch|s|zo|ço)?|märz|a[pvb]r(?:il)?|may|mai|mayo|maio|ju[nl](?:[eiy]|io|ho)?|juin|juillet|aug(?:ust)?|agosto|août|sept?(?:ember|tiembre|embre)?|setembro|o[ck]t(?:ober|ubre|obre)?|outubro|nov(?:ember|iembre|embre|embro)?|de[cz](?:ember|embro)?|diciembre|décembre)(?!\p{L})|\d\s?(?:am|pm|uhr|h\b|:\d|giờ|点|月|日|号)|\d{1,2}[/.-]\d{1,2}/iu;
const NOON = /\b(?:noon|midnight|mediodía|mittag|midi|meio-dia)\b|o['’]clock|half past|quarter (?:to|past)/iu;

/** Where the first sign of a date or a time of day is; -1 if there is none. */
const signOf = (text: string, { relativeDay }: Lexicon): number => {
  const signs = [relativeDay, MONTHS_AND_CLOCK, NOON]
    .map((sign) => sign.exec(text)?.index ?? -1)
    .filter((at) => at >= 0);
  if (signs.length > 0) return Math.min(...signs);
  return text.length <= SHORT && DIGIT.test(text) ? 0 : -1;
};
/** An answer such as "the 14th" or "10". */
const SHORT = 25;

const isDay = (start: Components): boolean => start.isCertain('day') || start.isCertain('weekday');

const pad = (value: number): string => String(value).padStart(2, '0');
const isoDay = (date: Date): string =>
  `${String(date.getUTCFullYear()).padStart(4, '0')}-${pad(date.getUTCMonth() + 1)}-${pad(date.getUTCDate())}`;
const clockOf = (start: Components): string => `${pad(start.get('hour') ?? 0)}:${pad(start.get('minute') ?? 0)}`;

const WEEK =
  /\bweek(?!end|day)|\bsemana|\bwoche|\bsemaine|tuần|周(?![一二三四五六日天末])|星期(?![一二三四五六日天])/iu;
const WEEKEND = /week-?end|fin de semana|wochenende|fim de semana|cuối tuần|周末/iu;
const DAY_MS = 86_400_000;

/** The seven days until now; "last week" is from Monday to Sunday. */
const PAST_WEEK = /\bpast week$/i;

const rangeOf = ({ text, start, end }: Found, said: number): EventTime => {
  const first = start.date();
  if (PAST_WEEK.test(text)) return { from: isoDay(new Date(said - 7 * DAY_MS)), to: isoDay(new Date(said)) };
  if (end !== null && end !== undefined) return { from: isoDay(first), to: isoDay(end.date()) };
  if (!start.isCertain('day') && !start.isCertain('weekday')) {
    const [year, month] = [first.getUTCFullYear(), first.getUTCMonth()];
    return { from: isoDay(new Date(Date.UTC(year, month, 1))), to: isoDay(new Date(Date.UTC(year, month + 1, 0))) };
  }
  if (WEEKEND.test(text)) {
    const saturday = new Date(first.getTime() - ((first.getUTCDay() + 1) % 7) * DAY_MS);
    return { from: isoDay(saturday), to: isoDay(new Date(saturday.getTime() + DAY_MS)) };
  }
  if (WEEK.test(text) && !start.isCertain('weekday')) {
    const monday = new Date(first.getTime() - ((first.getUTCDay() + 6) % 7) * DAY_MS);
    return { from: isoDay(monday), to: isoDay(new Date(monday.getTime() + 6 * DAY_MS)) };
  }
  const day = dayOf(start, said);
  return { from: day, to: day };
};
