import { MONTH_NAMES, MONTHS } from '@turnkeeper/domain';

/** A calendar day in the time zone of the message. Month is 1–12. */
export interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

/** The day of an ISO 8601 time at its own offset (UTC if it has none); null if invalid. */
export const dayOf = (iso: string): Day | null => {
  const match = /^(\d{4})-(\d{2})-(\d{2})(?:T|$)/.exec(iso);
  if (match === null || Number.isNaN(Date.parse(iso))) return null;
  return { year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) };
};

/** Names of months and their abbreviations, as a pattern without a group. */
export const MONTH_WORD =
  'january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec';

const fromUtc = (date: Date): Day => ({
  year: date.getUTCFullYear(),
  month: date.getUTCMonth() + 1,
  day: date.getUTCDate(),
});
const toUtc = (day: Day): Date => new Date(Date.UTC(day.year, day.month - 1, day.day));

export const addDays = (day: Day, days: number): Day => fromUtc(toUtc({ ...day, day: day.day + days }));

/** Days from one day to another; negative if the other is earlier. */
export const daysBetween = (from: Day, to: Day): number => (toUtc(to).getTime() - toUtc(from).getTime()) / 86_400_000;

/** The same day in another month, or that month's last day. */
export const addMonths = (day: Day, months: number): Day => {
  const index = day.year * 12 + day.month - 1 + months;
  const year = Math.floor(index / 12);
  const month = index - year * 12 + 1;
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return { year, month, day: Math.min(day.day, last) };
};

export const lastOfMonth = (day: Day): Day => addDays(addMonths({ ...day, day: 1 }, 1), -1);

/** `2023-05-08`. */
export const isoDay = ({ year, month, day }: Day): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;

/** 0 is Sunday. */
export const weekdayOf = (day: Day): number => toUtc(day).getUTCDay();

/** 0 is Sunday; null if the word is not a weekday. Accepts abbreviations such as `Fri` and `Tues`. */
export const weekdayNumber = (word: string): number | null => {
  const index = WEEKDAYS.findIndex((name) => name.startsWith(word.toLowerCase().slice(0, 3)));
  return index < 0 || word.length < 3 ? null : index;
};

/** 1–12; null if the word is not a month. Accepts abbreviations such as `Jan` and `Sept`. */
export const monthNumber = (word: string): number | null => {
  const index = MONTHS.findIndex((name) => name.startsWith(word.toLowerCase().slice(0, 3)));
  return index < 0 || word.length < 3 ? null : index + 1;
};

/** The Monday on or before a day. */
export const mondayOf = (day: Day): Day => addDays(day, -((weekdayOf(day) + 6) % 7));

export const monthName = (month: number): string => MONTH_NAMES[month - 1] ?? '';
export const dayLabel = (day: Day): string => `${day.day} ${monthName(day.month)} ${day.year}`;
export const weekLabel = (day: Day): string => `the week of ${dayLabel(mondayOf(day))}`;
/** The weekend at the end of that day's week. */
export const weekendLabel = (day: Day): string => `the weekend of ${dayLabel(addDays(mondayOf(day), 5))}`;
export const monthLabel = (day: Day): string => `${monthName(day.month)} ${day.year}`;
