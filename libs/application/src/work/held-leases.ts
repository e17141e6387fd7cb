import type { Ports } from '../ports.js';

export interface HeldLeasesOptions<C> extends Pick<Ports, 'every' | 'monotonicMs'> {
  /** Lease duration from the claim or the last renewal. Renewed every third of it. */
  readonly leaseSeconds: number;
  /** Renews leases; resolves to the claims that are still held. */
  readonly renew: (claims: readonly C[]) => Promise<readonly C[]>;
  /** The abort reason for work whose lease was lost. */
  readonly lost: () => Error;
}

interface Held {
  readonly cutOff: AbortController;
  renewedMs: number;
}

/**
 * Renews all leases held by this process in one call while their work runs. Aborts work whose lease was lost, because
 * another process may already have it.
 */
export class HeldLeases<C extends object> {
  private readonly held = new Map<C, Held>();
  private stopRenewing: (() => void) | null = null;
  private renewing = false;

  constructor(private readonly options: HeldLeasesOptions<C>) {}

  /** Runs `work` under a fresh claim. Its signal aborts with the given signal or when the lease is lost. */
  async hold<T>(claim: C, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { every, leaseSeconds, monotonicMs } = this.options;
    const cutOff = new AbortController();
    this.held.set(claim, { cutOff, renewedMs: monotonicMs() });
    this.stopRenewing ??= every((leaseSeconds * 1_000) / 3, () => void this.renew());
    try {
      return await work(AbortSignal.any([signal, cutOff.signal]));
    } finally {
      this.held.delete(claim);
      if (this.held.size === 0) {
        this.stopRenewing?.();
        this.stopRenewing = null;
      }
    }
  }

  private async renew(): Promise<void> {
    if (this.renewing) return this.cutOffExpired();
    this.renewing = true;
    const claims = [...this.held.keys()];
    const askedMs = this.options.monotonicMs();
    try {
      const kept = new Set(await this.options.renew(claims));
      for (const claim of claims) {
        const held = this.held.get(claim);
        if (held === undefined) continue;
        if (kept.has(claim)) held.renewedMs = askedMs;
        else held.cutOff.abort(this.options.lost());
      }
    } catch {
      // The database is unavailable; the next renewal may still be in time.
      this.cutOffExpired();
    } finally {
      this.renewing = false;
    }
  }

  private cutOffExpired(): void {
    const { leaseSeconds, monotonicMs, lost } = this.options;
    const now = monotonicMs();
    for (const { cutOff, renewedMs } of this.held.values()) {
      if (now - renewedMs > leaseSeconds * 1_000) cutOff.abort(lost());
    }
  }
}
