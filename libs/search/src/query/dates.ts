import { MONTHS } from '@turnkeeper/domain';

/** A range of days named in a question. Days since 1970, both ends inclusive. */
export interface DateWindow {
  readonly from: number;
  readonly to: number;
  readonly weight: number;
}

const MONTH = `(${MONTHS.join('|')}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)`;
const DAY = '(\\d{1,2})(?:st|nd|rd|th)?';
const YEAR = '(?:,? (20\\d\\d))?';
const DAY_MONTH = new RegExp(`\\b${DAY} (?:of )?${MONTH}\\b\\.?${YEAR}`, 'giu');
const MONTH_DAY = new RegExp(`\\b${MONTH}\\.? ${DAY}\\b(?!\\d)${YEAR}`, 'giu');
const MONTH_ALONE = new RegExp(
  `\\b(?:(in|of|during|by|early|late|mid|until|since|before|after)[ -])?${MONTH}\\b\\.?${YEAR}`,
  'giu',
);
/** Months that begin the seasons of the northern half of the earth, each of three months. */
const SEASONS: Readonly<Record<string, number>> = { spring: 2, summer: 5, autumn: 8, fall: 8, winter: 11 };
/** `spring` and `fall` are also other words; they are seasons only with a word of time or a year. */
const SEASON =
  /\b(?:(last|this|in|of|during|early|late|since|until|before|after)(?: the)? )?(spring|summer|autumn|fall|winter)\b(?:,?(?: of)? (20\d\d))?/giu;
/** "On the 15th" is one day of every month. */
const DAY_ALONE = /\bon the (\d{1,2})(?:st|nd|rd|th)\b(?! (?:floor|anniversary|birthday|century|street|avenue))/giu;
/** "Since June" begins with June, and "after 5 May" with the day after. */
const BEGINS = /\b(?:since|after|from)(?: the)?(?: (?:beginning|start|end) of)?[ -]?$/iu;
const ENDS = /\b(?:before|until|by)(?: the)?(?: (?:beginning|start|end) of)?[ -]?$/iu;
const YEAR_ALONE = /\b(20\d\d)\b/gu;
const ISO = /\b(20\d\d)-(\d{1,2})-(\d{1,2})\b/gu;
/** `ngày 5 tháng 6 năm 2024`, `tháng 6/2024`; with or without diacritics. */
const VIETNAMESE = /(?:\bng[aà]y (\d{1,2}) )?\bth[aá]ng (\d{1,2})(?: n[aă]m | ?[/-] ?)?(20\d\d)?/giu;
/** `2024年6月5日`, `6月5号`, `6月`. */
const CHINESE = /(?:(20\d\d) ?年 ?)?(\d{1,2}) ?月(?: ?(\d{1,2}) ?[日号])?/gu;
const NUMERIC = /\b(\d{1,2})[/](\d{1,2})(?:[/](20\d\d))?\b/gu;

/** Only the beginning is searched: a question names its dates early. */
const LOOK_AT = 2_000;
const A_DAY = 86_400_000;
const dayOf = (year: number, month: number, day: number): number => Math.floor(Date.UTC(year, month, day) / A_DAY);
const monthNumber = (name: string): number =>
  MONTHS.findIndex((month) => month.startsWith(name.toLowerCase().slice(0, 3)));
/** Enough for any question; more would be a list of dates. */
const MAX_WINDOWS = 12;
const YEAR_WEIGHT = 0.3;
const DAY_ALONE_WEIGHT = 0.6;
/** What lies before or after a date, for how many days. */
const SIDE_WEIGHT = 0.5;
const SIDE_DAYS = 3_650;

interface Named {
  readonly year: number | undefined;
  /** Zero-based. */
  readonly month: number;
  readonly day: number | undefined;
  /** Default: 1. */
  readonly months?: number;
  /** The question asks for what was after it, or before. */
  readonly side?: 'after' | 'before' | undefined;
}

const numberOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

const named = (text: string): Named[] => {
  const found: Named[] = [];
  let rest = text.normalize('NFC').slice(0, LOOK_AT).replace(/\s+/gu, ' ');
  const take = (pattern: RegExp, read: (groups: RegExpExecArray) => Named | undefined): void => {
    rest = rest.replace(pattern, (...parts) => {
      const end = parts.findIndex((part) => typeof part === 'number');
      const groups = parts.slice(0, end) as unknown as RegExpExecArray;
      const date = read(groups);
      const before = `${rest.slice(0, parts[end] as number)}${/^(?:[a-z]+[ -]){1,2}(?=[a-z])/iu.exec(groups[0])?.[0] ?? ''}`;
      if (date === undefined || date.month < 0 || date.month > 11 || (date.day ?? 1) > 31) return groups[0];
      found.push({ ...date, side: BEGINS.test(before) ? 'after' : ENDS.test(before) ? 'before' : undefined });
      return ' ';
    });
  };
  take(ISO, ([, year, month, day]) => ({ year: Number(year), month: Number(month) - 1, day: Number(day) }));
  take(CHINESE, ([, year, month, day]) => ({ year: numberOf(year), month: Number(month) - 1, day: numberOf(day) }));
  take(VIETNAMESE, ([, day, month, year]) => ({ year: numberOf(year), month: Number(month) - 1, day: numberOf(day) }));
  take(DAY_MONTH, ([, day, month, year]) => ({
    year: numberOf(year),
    month: monthNumber(month ?? ''),
    day: Number(day),
  }));
  take(MONTH_DAY, ([, month, day, year]) => ({
    year: numberOf(year),
    month: monthNumber(month ?? ''),
    day: Number(day),
  }));
  take(NUMERIC, ([, first, second, year]) =>
    Number(first) <= 31 && Number(second) <= 12
      ? { year: numberOf(year), month: Number(second) - 1, day: Number(first) }
      : undefined,
  );
  take(SEASON, ([, before, season, year]) =>
    before === undefined && year === undefined
      ? undefined
      : { year: numberOf(year), month: SEASONS[(season ?? '').toLowerCase()] ?? -1, day: undefined, months: 3 },
  );
  take(MONTH_ALONE, ([, before, month, year]) =>
    // `may` and `mar(ch)` are also verbs; they count as months only with a preposition or a year.
    /^(?:may|march|mar)$/iu.test(month ?? '') && before === undefined && year === undefined
      ? undefined
      : { year: numberOf(year), month: monthNumber(month ?? ''), day: undefined },
  );
  return found;
};

/**
 * The date ranges that a question names: a day, a month, or, if it names neither, a year. Without a year, it matches in
 * every year of `years`, and what lies before or after it in the last one.
 */
export const dateWindows = (question: string, years: readonly number[]): DateWindow[] => {
  const last = Math.max(...years);
  const windows = named(question).flatMap(({ year, month, day, months = 1, side }) =>
    (year !== undefined ? [year] : side === undefined || years.length === 0 ? years : [last]).flatMap((of) => {
      const [from, to] =
        day === undefined
          ? [dayOf(of, month, 1), dayOf(of, month + months, 1) - 1]
          : [dayOf(of, month, day), dayOf(of, month, day)];
      if (side === undefined) return [{ from, to, weight: 1 }];
      return side === 'after'
        ? [{ from, to: from + SIDE_DAYS, weight: SIDE_WEIGHT }]
        : [{ from: from - SIDE_DAYS, to: from - 1, weight: SIDE_WEIGHT }];
    }),
  );
  if (windows.length > 0) return windows.slice(0, MAX_WINDOWS);
  const [day] = [...question.matchAll(DAY_ALONE)].map(([, of]) => Number(of));
  if (day !== undefined && years.length > 0)
    return Array.from({ length: 12 }, (_, month) => dayOf(last, month, day)).map((at) => ({
      ...{ from: at, to: at, weight: DAY_ALONE_WEIGHT },
    }));
  return [...question.matchAll(YEAR_ALONE)]
    .map(([year]) => ({ from: dayOf(Number(year), 0, 1), to: dayOf(Number(year), 12, 1) - 1, weight: YEAR_WEIGHT }))
    .slice(0, MAX_WINDOWS);
};

const AFTER_DAYS = 6;
const BEFORE_DAYS = 3;
const BEFORE_WEIGHT = 0.6;

/**
 * How close a day is to the nearest window, 0–1. Events are usually mentioned on the day or soon after, rarely before.
 */
export const nearness = (day: number, windows: readonly DateWindow[]): number => {
  let best = 0;
  for (const { from, to, weight } of windows) {
    const near =
      day < from
        ? BEFORE_WEIGHT * Math.exp((day - from) / BEFORE_DAYS)
        : day > to
          ? Math.exp((to - day) / AFTER_DAYS)
          : 1;
    best = Math.max(best, near * weight);
  }
  return best;
};
