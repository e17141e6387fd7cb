/**
 * The days that a fact speaks of, both included (`2026-03-02`), as far as its words tell: "last week" is seven days,
 * "since May" has no end. When it was said is another matter.
 */
export interface EventTime {
  /** Null: nothing says when it began. */
  readonly from: string | null;
  /** Null: it goes on, as far as is known. */
  readonly to: string | null;
}

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

const isDay = (text: string): boolean => {
  const [, year, month, day] = DAY.exec(text) ?? [];
  if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1) return false;
  return Number(day) <= daysIn(Number(year), Number(month));
};

const daysIn = (year: number, month: number): number =>
  month === 2
    ? year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
      ? 29
      : 28
    : [4, 6, 9, 11].includes(month)
      ? 30
      : 31;

/** An event time as an extractor gave it, or null when it is none: no such day, or an end before its beginning. */
export const validEventTime = (time: EventTime | null | undefined): EventTime | null => {
  if (time === null || time === undefined || (time.from === null && time.to === null)) return null;
  const { from, to } = time;
  if ((from !== null && !isDay(from)) || (to !== null && !isDay(to))) return null;
  return from !== null && to !== null && from > to ? null : { from, to };
};
