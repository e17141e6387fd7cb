import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AttemptOutcome } from './attempt.js';
import { afterAttempt, newDelivery, type Delivery } from './delivery.js';
import {
  MAX_ATTEMPTS,
  MAX_JITTER,
  MAX_RETRY_AFTER_MS,
  nextWaitMs,
  parseRetryAfter,
  RETRY_STEPS_MS,
} from './retry-schedule.js';

const DAY = 86_400_000;
const START = new Date('2026-01-01T00:00:00.000Z');
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

/** Every kind of failure that is retried, with and without `Retry-After`. */
const failure: fc.Arbitrary<AttemptOutcome> = fc.oneof(
  fc.record({
    kind: fc.constant('response' as const),
    status: fc.constantFrom(100, 301, 302, 307, 400, 401, 404, 408, 429, 500, 502, 503, 504, 599),
    retryAfter: fc.oneof(
      fc.constant(''),
      fc.constant('junk'),
      fc.nat({ max: 10_000_000 }).map(String),
      fc.integer({ min: -10, max: 30 * 86_400 }).map((s) => new Date(START.getTime() + s * 1000).toUTCString()),
    ),
    durationMs: fc.nat({ max: 15_000 }),
  }),
  fc.record({
    kind: fc.constant('failed' as const),
    code: fc.constantFrom('timeout', 'dns', 'connect', 'tls', 'network', 'blocked_address', 'protocol'),
    message: fc.constant(''),
    durationMs: fc.nat({ max: 15_000 }),
  }),
);

/** Runs a whole schedule on a fake clock and records the times of the attempts. */
const live = (outcomes: readonly AttemptOutcome[], dice: readonly number[]) => {
  let delivery: Delivery = newDelivery(START);
  let now = START;
  const attemptsAt: number[] = [];
  for (let n = 0; delivery.status === 'pending'; n += 1) {
    if (n > 100) throw new Error('the schedule does not end');
    now = new Date(delivery.dueAt ?? now);
    attemptsAt.push(now.getTime());
    delivery = afterAttempt(delivery, outcomes[n % outcomes.length]!, { now, random: dice[n % dice.length]! }).delivery;
  }
  return { delivery, attemptsAt, waits: attemptsAt.slice(1).map((at, i) => at - attemptsAt[i]!) };
};

describe('the whole retry schedule under a fake clock', () => {
  it('makes at least 14 attempts over at least 7 days, then parks, for every failure and every jitter', () => {
    fc.assert(
      fc.property(
        fc.array(failure, { minLength: 1, maxLength: 20 }),
        fc.array(random, { minLength: 1, maxLength: 20 }),
        (outcomes, dice) => {
          const { delivery, attemptsAt } = live(outcomes, dice);
          expect(attemptsAt.length).toBe(MAX_ATTEMPTS);
          expect(attemptsAt.length).toBeGreaterThanOrEqual(14);
          expect(attemptsAt.at(-1)! - attemptsAt[0]!).toBeGreaterThanOrEqual(7 * DAY);
          expect(delivery).toMatchObject({ status: 'parked', parkReason: 'exhausted', dueAt: null });
          expect(delivery.attempts).toBe(MAX_ATTEMPTS);
        },
      ),
    );
  });

  it('waits longer each time, at most a fifth beyond the step, unless the endpoint requests more', () => {
    fc.assert(
      fc.property(fc.array(random, { minLength: 1, maxLength: 16 }), (dice) => {
        const { waits } = live([{ kind: 'response', status: 500, durationMs: 1 }], dice);
        waits.forEach((wait, i) => {
          expect(wait).toBeGreaterThanOrEqual(RETRY_STEPS_MS[i]!);
          expect(wait).toBeLessThanOrEqual(Math.ceil(RETRY_STEPS_MS[i]! * (1 + MAX_JITTER)));
          if (i > 0) expect(wait).toBeGreaterThan(waits[i - 1]!);
        });
      }),
    );
  });

  it('spreads retries: different jitter, different times', () => {
    const moments = Array.from({ length: 100 }, (_, i) => nextWaitMs(1, i / 100, null));
    expect(new Set(moments).size).toBe(100);
  });

  it('waits as long as Retry-After requests, up to 24 hours, and never less than the step', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: MAX_ATTEMPTS - 1 }),
        random,
        fc.nat({ max: 30 * DAY }),
        (n, dice, asked) => {
          const wait = nextWaitMs(n, dice, asked)!;
          const step = RETRY_STEPS_MS[n - 1]!;
          expect(wait).toBeGreaterThanOrEqual(Math.max(step, Math.min(asked, MAX_RETRY_AFTER_MS)));
          expect(wait).toBeLessThanOrEqual(Math.ceil(Math.max(step, MAX_RETRY_AFTER_MS) * (1 + MAX_JITTER)));
          if (asked <= step) expect(wait).toBe(nextWaitMs(n, dice, null));
        },
      ),
    );
  });

  it('has no wait left after the last attempt', () => {
    expect(nextWaitMs(MAX_ATTEMPTS, 0, null)).toBeNull();
    expect(nextWaitMs(MAX_ATTEMPTS, 0, 5_000)).toBeNull();
  });
});

describe('parsing Retry-After', () => {
  it.each([
    ['0', 0],
    ['120', 120_000],
    [' 7 ', 7_000],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Thursday, 01-Jan-26 00:01:00 GMT', 60_000],
    ['Thu Jan  1 00:01:00 2026', 60_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ])('parses %j as %d ms', (header, ms) => expect(parseRetryAfter(header, START)).toBe(ms));

  it.each([undefined, '', '-5', '1.5', '1e3', 'soon', 'Thu, 99 Foo', '2026-01-01T00:01:00Z', '9'.repeat(400)])(
    'ignores %j',
    (header) => expect(parseRetryAfter(header, START)).toBeNull(),
  );
});
