import { TooManyFailures } from './auth-errors.js';

const MINUTE_MS = 60_000;
/** How long a key that was good is looked up again from an address that is over its failures. */
const GOOD_MS = 3_600_000;
const MOST_REMEMBERED = 10_000;

/**
 * Counts keys and tokens that turned out to be wrong, by the client's address: an address that is over its number is
 * answered without a look-up, so that guesses cost the database nothing. A key that was good lately passes, since many
 * clients may share one address. Follows a monotonic clock.
 */
export class FailedKeys {
  private readonly failures = new Map<string, { left: number; filledAt: number }>();
  private readonly good = new Map<string, number>();

  /** @param perMinute failures of one address that are looked up per minute; 0 for any number */
  constructor(
    private readonly perMinute: number,
    private readonly monotonicMs = (): number => performance.now(),
  ) {}

  /** Throws `TooManyFailures` where this credential is not to be looked up for this address now. */
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
