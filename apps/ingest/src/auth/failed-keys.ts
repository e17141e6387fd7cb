import { TooManyFailures } from './auth-errors.js';

const MINUTE_MS = 60_000;
/** How long a recently valid key is still looked up from an address over its failure limit. */
const GOOD_MS = 3_600_000;
const MOST_REMEMBERED = 10_000;

/**
 * Counts failed keys and tokens per client address. An address over its limit is rejected without a look-up, so
 * guessing costs the database nothing. Recently valid keys pass, because many clients can share an address. Uses a
 * monotonic clock.
 */
export class FailedKeys {
  private readonly failures = new Map<string, { left: number; filledAt: number }>();
  private readonly good = new Map<string, number>();

  /** @param perMinute failures per address that are looked up per minute; 0 for no limit */
  constructor(
    private readonly perMinute: number,
    private readonly monotonicMs = (): number => performance.now(),
  ) {}

  /** Throws `TooManyFailures` if this credential must not be looked up for this address now. */
  assertMayTry(address: string, authorization: string): void {
    const bucket = this.failures.get(address);
    if (bucket === undefined) return;
    const now = this.monotonicMs();
    bucket.left = Math.min(this.perMinute, bucket.left + ((now - bucket.filledAt) * this.perMinute) / MINUTE_MS);
    bucket.filledAt = now;
    if (bucket.left >= 1 || (this.good.get(authorization) ?? Number.NEGATIVE_INFINITY) > now - GOOD_MS) return;
    throw new TooManyFailures(Math.ceil(((1 - bucket.left) * MINUTE_MS) / this.perMinute / 1_000));
  }

  noteFailure(address: string): void {
    if (this.perMinute === 0) return;
    const bucket = this.failures.get(address);
    if (bucket !== undefined) {
      bucket.left -= 1;
      return;
    }
    if (this.failures.size >= MOST_REMEMBERED) this.failures.clear();
    this.failures.set(address, { left: this.perMinute - 1, filledAt: this.monotonicMs() });
  }

  noteSuccess(authorization: string): void {
    if (this.good.size >= MOST_REMEMBERED) this.good.clear();
    this.good.set(authorization, this.monotonicMs());
  }
}
