/**
 * The days that a fact refers to, both included (`2026-03-02`): "last week" is seven days, "since May" has no end.
 * Independent of when the fact was stated.
 */
export interface EventTime {
  /** Null: unknown start. */
  readonly from: string | null;
  /** Null: ongoing, as far as known. */
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

/** Validates an extractor's event time. Returns null if a day does not exist or the end is before the start. */
export const validEventTime = (time: EventTime | null | undefined): EventTime | null => {
  if (time === null || time === undefined || (time.from === null && time.to === null)) return null;
  const { from, to } = time;
  if ((from !== null && !isDay(from)) || (to !== null && !isDay(to))) return null;
  return from !== null && to !== null && from > to ? null : { from, to };
};
