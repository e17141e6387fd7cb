import { TurnkeeperConnectionError, TurnkeeperError } from './errors.js';

export interface RetryOptions {
  /** Requests sent at most for one call, the first included; 1 disables retries. Default 4. */
  readonly maxAttempts?: number;
  /** Upper limit of the first wait in ms; it doubles with each attempt. Default 250. */
  readonly baseDelayMs?: number;
  /** Upper limit of a wait in ms. A longer `Retry-After` is not waited for: the error is thrown. Default 30,000. */
  readonly maxDelayMs?: number;
}

const UNAVAILABLE = new Set([408, 425, 429, 500, 502, 503, 504]);
/**
 * The request was refused before anything was done, so even one that is not idempotent can be sent again. `in_progress`:
 * the first attempt, whose response was lost, is still running.
 */
const NOT_BEGUN = new Set(['server.busy', 'server.stopping', 'idempotency.in_progress']);

/**
 * @param repeatable sending the request twice has the effect of sending it once
 */
export const mayRetry = (error: unknown, repeatable: boolean): boolean => {
  if (error instanceof TurnkeeperConnectionError) return repeatable && error.code !== 'client.redirected';
  if (!(error instanceof TurnkeeperError)) return false;
  if (error.status === 429 || NOT_BEGUN.has(error.code)) return true;
  // A 504 of Turnkeeper itself: `afterSequence` was not reached within the wait that the caller chose.
  if (error.status === 504 && error.code !== 'server.unknown') return false;
  return repeatable && UNAVAILABLE.has(error.status);
};

/** Wait before the next attempt in ms; undefined if the server asks for more than the limit. */
export const delayBefore = (
  attempt: number,
  error: unknown,
  { baseDelayMs = 250, maxDelayMs = 30_000 }: RetryOptions,
  random: () => number = Math.random,
): number | undefined => {
  const asked = (error instanceof TurnkeeperError ? (error.retryAfterSeconds ?? 0) : 0) * 1_000;
  if (asked > maxDelayMs) return undefined;
  // Full jitter spreads clients that failed at the same moment; after `Retry-After`, as well.
  const backoff = random() * Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1));
  return Math.min(maxDelayMs, asked + backoff);
};

/** Waits; rejects with the signal's reason if it is aborted. */
export const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason as Error);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
