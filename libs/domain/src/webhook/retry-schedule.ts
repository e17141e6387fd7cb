const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Waits between attempts, in milliseconds: quick at first, for a receiver that restarts; then over a weekend, for one
 * that nobody watches. Sixteen attempts; the waits alone add up to 7 days and almost 2 hours. Each is at least 1.3
 * times the one before, more than jitter can add, so that waits grow whatever the dice say.
 */
export const RETRY_STEPS_MS: readonly number[] = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  1 * HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  14 * HOUR,
  20 * HOUR,
  28 * HOUR,
  38 * HOUR,
  54 * HOUR,
];

/** The first attempt, and one after each wait. */
export const MAX_ATTEMPTS = RETRY_STEPS_MS.length + 1;

/** Jitter only adds, up to a fifth: it spreads a crowd without ever shortening the promised seven days. */
export const MAX_JITTER = 0.2;

/** The longest wait a receiver can ask for; a longer wish is cut to this, so that none can silence its own webhooks. */
export const MAX_RETRY_AFTER_MS = DAY;

/** When we gave up ourselves, the same attempt is made again this much later. */
export const RETRY_AFTER_ABORT_MS = 1 * SECOND;

/**
 * The wait before the next attempt, or null when none is left.
 *
 * A receiver's `Retry-After` can lengthen the wait, up to 24 h (or the step, where that is longer); it never shortens
 * it, because sixteen hasty attempts would be used up long before seven days.
 *
 * @param attempts attempts made so far, at least 1
 * @param random a number in [0, 1)
 * @param retryAfterMs what the receiver asked for, in milliseconds; null when it did not ask
 * @returns milliseconds, whole
 */
export const nextWaitMs = (attempts: number, random: number, retryAfterMs: number | null): number | null => {
  const step = RETRY_STEPS_MS[attempts - 1];
  if (step === undefined) return null;
  const asked = Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
  return Math.ceil(Math.max(step, asked) * (1 + MAX_JITTER * random));
};

/**
 * Reads a `Retry-After` header (RFC 9110, 10.2.3): whole seconds, or an HTTP date.
 *
 * @returns milliseconds from `now`, never negative; null when the header is absent or unreadable
 */
export const parseRetryAfter = (header: string | undefined, now: Date): number | null => {
  const value = header?.trim() ?? '';
  if (/^\d{1,15}$/.test(value)) return Number(value) * SECOND;
  // Date.parse alone would take far more than HTTP's three date forms: "1" and "-5" among them.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(value)) return null;
  const at = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
};
