import type { Strength } from './record-details.js';

export interface Standing {
  /** When it was last said (ISO 8601). */
  readonly saidAt: string;
  /** Number of messages that state it. */
  readonly timesSeen: number;
  /** Strength of a preference; null if it is none. */
  readonly strength: Strength | null;
}

const WEEK_MS = 7 * 24 * 60 * 60 * 1_000;
/** So that an old habit, however often mentioned, does not hide what was said since. */
const MAX_WEEKS = 4;

/**
 * Orders facts by when they were said, with their strength as a weight: each repetition, and a strong preference, counts
 * as if the fact had been said one week later, up to four weeks; a weak preference as if one week earlier.
 */
export const newestAndStrongest = (a: Standing, b: Standing): number => weightedMs(b) - weightedMs(a);

const weightedMs = ({ saidAt, timesSeen, strength }: Standing): number => {
  const weeks = Math.max(timesSeen - 1, 0) + (strength === 'strong' ? 1 : strength === 'weak' ? -1 : 0);
  return Date.parse(saidAt) + Math.min(weeks, MAX_WEEKS) * WEEK_MS;
};
