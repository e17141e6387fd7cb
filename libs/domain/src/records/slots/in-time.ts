import type { Slot } from './slot-text.js';

interface Stated {
  readonly slot: Slot;
  /** ISO 8601. */
  readonly statedAt: string;
}

const DAY_MS = 86_400_000;
/** An undated plan that is realised later than this counts as a different plan. */
const LONGEST_PLAN_DAYS = 60;
/** Two current activities named within this time are both true. */
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
 * Whether the newer statement can be the outcome of the older one, judged by when both were made and the months that
 * they name. An event planned for May did not take place in March; a book read in spring is replaced by the next one.
 */
export const isInTime = (older: Stated, newer: Stated): boolean => {
  const days = (Date.parse(newer.statedAt) - Date.parse(older.statedAt)) / DAY_MS;
  if (older.slot.key.includes('|current '))
    return UNNAMED.test(older.slot.value) ? !UNNAMED.test(newer.slot.value) : days >= SHORTEST_CURRENT_DAYS;
  if (!older.slot.key.includes('|plan: ') || !IS_EVENT.test(older.slot.key)) return true;
  // It can be postponed or cancelled at any time.
  if (!newer.slot.value.startsWith('done')) return true;
  const planned = monthIn(older.slot.value);
  const done = monthIn(newer.slot.value);
  if (planned !== null && done !== null) return planned === done;
  const said = monthOf(newer.statedAt);
  if (planned !== null) return said === null || said === planned || said === planned + 1;
  const from = monthOf(older.statedAt);
  return days <= LONGEST_PLAN_DAYS && (done === null || from === null || done >= from);
};

/** "A book that they enjoy" is named later: "Waves". Two unnamed books may be one book or two. */
const UNNAMED = /\b(?:book|novel|series|game|rpg)\b(?! (?:called|named|titled)\b)|\bproject(?: \S+){0,2}$/;

const IS_EVENT =
  /\|plan: (?:conference|tournament|volunteering|competition|contest|camping|concert|festival|party|art show|talent show|recital|exam|interview|audition|wedding|race|marathon|fundraiser|workshop|seminar|retreat|parade|surgery|picnic)$/;

/** Months since year 0, from a value such as "planned 2023 june". */
const monthIn = (value: string): number | null => {
  const match = /(\d{4}) (\p{L}+)$/u.exec(value);
  const month = MONTHS.indexOf(match?.[2] ?? '');
  return match === null || month < 0 ? null : Number(match[1]) * 12 + month;
};
const monthOf = (iso: string): number | null => {
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? null : time.getUTCFullYear() * 12 + time.getUTCMonth();
};
