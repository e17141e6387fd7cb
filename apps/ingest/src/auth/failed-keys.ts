const MINUTE_MS = 60_000;
const MAX_REMEMBERED = 10_000;

/**
 * Counts failed keys and tokens per client address. A try is taken before the look-up, so that concurrent guesses count
 * too, and given back if it succeeds. Uses a monotonic clock.
 */
export class FailedKeys {
  private readonly addresses = new Map<string, { left: number; filledAt: number }>();

  /** @param perMinute failures per address and minute; 0 for no limit */
  constructor(
    private readonly perMinute: number,
    private readonly monotonicMs = (): number => performance.now(),
  ) {}

  /** Takes a try of the address. Returns 0, or the seconds until it has one again. */
  take(address: string): number {
    if (this.perMinute === 0) return 0;
    const tries = this.triesOf(address);
    if (tries.left < 1) return Math.ceil(((1 - tries.left) * MINUTE_MS) / this.perMinute / 1_000);
    tries.left -= 1;
    return 0;
  }

  /** Gives a try back that was taken, and did not fail. */
  giveBack(address: string): void {
    const tries = this.addresses.get(address);
    if (tries === undefined) return;
    tries.left += 1;
    if (tries.left >= this.perMinute) this.addresses.delete(address);
  }

  private triesOf(address: string): { left: number; filledAt: number } {
    const now = this.monotonicMs();
    let tries = this.addresses.get(address);
    if (tries === undefined) {
      if (this.addresses.size >= MAX_REMEMBERED) this.addresses.clear();
      this.addresses.set(address, (tries = { left: this.perMinute, filledAt: now }));
    }
    tries.left = Math.min(this.perMinute, tries.left + ((now - tries.filledAt) * this.perMinute) / MINUTE_MS);
    tries.filledAt = now;
    return tries;
  }
}
