const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Waits between attempts, in milliseconds: short at first, for a receiver that restarts; later long enough to survive
 * an unattended weekend. Sixteen attempts; the waits alone add up to 7 days and almost 2 hours. Each wait is at least
 * 1.3 times the previous one, which exceeds the jitter, so waits always increase.
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

/** One attempt, plus one after each wait. */
export const MAX_ATTEMPTS = RETRY_STEPS_MS.length + 1;

/** Jitter only adds, by up to a fifth, so that retries spread out without shortening the promised seven days. */
export const MAX_JITTER = 0.2;

/**
 * Maximum wait that a receiver can request; longer ones are capped, so that a receiver cannot block its own webhooks.
 */
export const MAX_RETRY_AFTER_MS = DAY;

/** Delay before repeating an attempt that we aborted. */
export const RETRY_AFTER_ABORT_MS = 1 * SECOND;

/**
 * The wait before the next attempt, or null if none is left.
 *
 * `Retry-After` can extend the wait, up to 24 h (or the step, if longer). It never shortens the wait: sixteen quick
 * attempts would be used up long before seven days.
 *
 * @param attempts attempts made so far, at least 1
 * @param random a number in [0, 1)
 * @param retryAfterMs the receiver's `Retry-After` in milliseconds; null if absent
 * @returns milliseconds, an integer
 */
export const nextWaitMs = (attempts: number, random: number, retryAfterMs: number | null): number | null => {
  const step = RETRY_STEPS_MS[attempts - 1];
  if (step === undefined) return null;
  const asked = Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
  return Math.ceil(Math.max(step, asked) * (1 + MAX_JITTER * random));
};

/**
 * Parses a `Retry-After` header (RFC 9110, 10.2.3): whole seconds, or an HTTP date.
 *
 * @returns milliseconds from `now`, never negative; null if the header is absent or invalid
 */
export const parseRetryAfter = (header: string | undefined, now: Date): number | null => {
  const value = header?.trim() ?? '';
  if (/^\d{1,15}$/.test(value)) return Number(value) * SECOND;
  // `Date.parse` alone accepts far more than HTTP's three date formats, including "1" and "-5".
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(value)) return null;
  const at = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
};
