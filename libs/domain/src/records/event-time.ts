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

/** Whether a text is a day that exists. */
const isDay = (text: string): boolean => {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
};

/** Validates an extractor's event time. Returns null if a day does not exist or the end is before the start. */
export const validEventTime = (time: EventTime | null | undefined): EventTime | null => {
  if (time === null || time === undefined || (time.from === null && time.to === null)) return null;
  const { from, to } = time;
  if ((from !== null && !isDay(from)) || (to !== null && !isDay(to))) return null;
  return from !== null && to !== null && from > to ? null : { from, to };
};
