import { MONTHS } from '../../text/months.js';
import { IS_EVENT } from './events-and-works.js';
import type { Slot } from './slot-text.js';
import { yearIn } from './which.js';

interface Stated {
  readonly slot: Slot;
  /** ISO 8601. */
  readonly statedAt: string;
}

const DAY_MS = 86_400_000;
/** An undated plan that is realised later than this counts as a different plan. */
const LONGEST_PLAN_DAYS = 60;
/** The next event of a kind is postponed within this time, if nothing says which one it is. */
const LONGEST_UNDATED_DAYS = 14;
/** An event under way ends within this time; a later outcome belongs to another event. */
const LONGEST_EVENT_DAYS = 10;

/**
 * Whether the newer statement can be the outcome of the older one, judged by when both were made and the months that
 * they name. An event planned for May did not take place in March.
 */
export const isInTime = (older: Stated, newer: Stated): boolean => {
  const days = (Date.parse(newer.statedAt) - Date.parse(older.statedAt)) / DAY_MS;
  if (older.slot.key.includes('|current ')) return endsCurrent(older.slot.value, newer.slot.value, days);
  const isDated = /\|(?:plan: |marital status$)/.test(newer.slot.key);
  const year = isDated ? yearIn(newer.slot.value) : null;
  // A wedding in 2005 is not the outcome of a present engagement.
  if (year !== null && !(year >= new Date(older.statedAt).getUTCFullYear())) return false;
  if (!older.slot.key.includes('|plan: ') || !IS_EVENT.test(older.slot.key)) return true;
  if (older.slot.value.startsWith('begun')) return days <= LONGEST_EVENT_DAYS;
  const planned = monthIn(older.slot.value);
  const done = monthIn(newer.slot.value);
  const said = monthOf(newer.statedAt);
  // Moved to a later month before it could be over.
  if (newer.slot.value.startsWith('planned'))
    return planned !== null && done !== null && said !== null && done > planned && said <= planned;
  // It can be postponed or cancelled at any time; weeks after an undated plan, that may be the one after it.
  if (!newer.slot.value.startsWith('done')) return planned !== null || days <= LONGEST_UNDATED_DAYS;
  if (planned !== null && done !== null) return planned === done;
  if (planned !== null) return said === planned || said === planned + 1;
  const from = monthOf(older.statedAt);
  return days <= LONGEST_PLAN_DAYS && (done === null || from === null || done >= from);
};

/**
 * "A book that they enjoy" is named within the conversation: "Waves". Otherwise only finishing it ends it: a person may
 * read two books or play two games at a time.
 */
const endsCurrent = (older: string, newer: string, days: number): boolean =>
  newer.startsWith('not ') || (days < 1 && UNNAMED.test(older) && !UNNAMED.test(newer));
const UNNAMED =
  /^(?!.*\bcalled ).*(?:\b(?:book|novel|series|game|rpg)\b(?! (?:named|titled)\b)|\bproject(?: \S+){0,2}$)/;

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
