import type { Slot } from './slot-text.js';

interface Stated {
  readonly slot: Slot;
  /** ISO 8601. */
  readonly statedAt: string;
}

const DAY_MS = 86_400_000;
/** A plan without a date that came about later than this was another one. */
const LONGEST_PLAN_DAYS = 60;
/** Within a day, people name two things that they are busy with, and mean both. */
const SHORTEST_CURRENT_DAYS = 1;
const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/**
 * Can the newer statement be what became of the older one, going by when both were said and the months that they name?
 * An event that was planned for May did not take place in March; a book that was read in spring gave way to the next.
 */
export const isInTime = (older: Stated, newer: Stated): boolean => {
  const days = (Date.parse(newer.statedAt) - Date.parse(older.statedAt)) / DAY_MS;
  if (older.slot.key.includes('|current ')) return days >= SHORTEST_CURRENT_DAYS;
  if (!older.slot.key.includes('|plan: ') || !IS_EVENT.test(older.slot.key)) return true;
  const planned = monthIn(older.slot.value);
  const done = monthIn(newer.slot.value);
  if (planned !== null && done !== null) return planned === done;
  const said = monthOf(newer.statedAt);
  if (planned !== null) return said === null || said === planned || said === planned + 1;
  const from = monthOf(older.statedAt);
  return days <= LONGEST_PLAN_DAYS && (done === null || from === null || done >= from);
};

const IS_EVENT =
  /\|plan: (?:conference|tournament|competition|contest|camping|concert|festival|party|art show|talent show|recital|exam|interview|audition|wedding|race|marathon|fundraiser|workshop|seminar|retreat|parade|surgery|picnic)$/;

/** Months since year 0, of a value such as "planned 2023 june". */
const monthIn = (value: string): number | null => {
  const match = /(\d{4}) (\p{L}+)$/u.exec(value);
  const month = MONTHS.indexOf(match?.[2] ?? '');
  return match === null || month < 0 ? null : Number(match[1]) * 12 + month;
};
const monthOf = (iso: string): number | null => {
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? null : time.getUTCFullYear() * 12 + time.getUTCMonth();
};
