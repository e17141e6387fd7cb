import { RATE_KINDS, type BudgetLease, type RateBudgets, type RateKind } from '@turnkeeper/application';
import { RateLimited } from '../auth/auth-errors.js';
import type { KnownLimits } from './known-limits.js';
import { BURST_SECONDS, LeasedShare } from './leased-share.js';

const MAX_TENANTS = 10_000;

type Shares = Record<RateKind, LeasedShare | null>;
interface Want {
  readonly tenantId: string;
  readonly kind: RateKind;
  readonly share: LeasedShare;
}

/** Values of the headers `RateLimit-Policy` and `RateLimit`. */
export interface RateHeaders {
  readonly policy: string;
  readonly limit: string;
}

/**
 * Rate limits of tenants across all processes. Each process leases slices of a tenant's budget and spends them without
 * a round trip; leases of many tenants share one statement, one at a time, in the background. If the store is down or
 * does not answer, nothing is rejected: each process continues with its part of the rate (docs/adr/0033).
 */
export class RateLimiter {
  private readonly tenants = new Map<string, Shares>();
  private wants: Want[] = [];
  private isLeasing = false;

  /**
   * @param holder identifies this process among the lease holders
   * @param monotonicMs a monotonic clock: with one that is set back, nothing would refill until it has caught up
   */
  constructor(
    private readonly limits: Pick<KnownLimits, 'of'>,
    private readonly budgets: RateBudgets,
    private readonly holder: string,
    /** Called when the store could not be reached. */
    private readonly onLeaseFailed: (error: unknown) => void = () => undefined,
    private readonly monotonicMs = (): number => performance.now(),
  ) {}

  /** Admits a request of the tenant with a body of this many bytes, or throws `RateLimited`. */
  take(tenantId: string, bytes = 0): void {
    const now = this.monotonicMs();
    const shares = this.sharesOf(tenantId, now);
    this.spend(tenantId, shares, 'requests', now, 1);
    if (bytes > 0) this.spend(tenantId, shares, 'bytes', now, bytes);
  }

  /** Charges extra cost found after admission. The tenant then waits until it is paid. */
  charge(tenantId: string, kind: RateKind, cost: number): void {
    const now = this.monotonicMs();
    const share = this.sharesOf(tenantId, now)[kind];
    share?.spend(cost);
    if (share) this.lease(tenantId, kind, share, now);
  }

  /** How long a stream of the tenant must pause before it takes more bytes, in milliseconds. */
  pauseMs(tenantId: string): number {
    const now = this.monotonicMs();
    const share = this.sharesOf(tenantId, now).bytes;
    if (share === null) return 0;
    this.lease(tenantId, 'bytes', share, now);
    return Math.ceil(share.waitSeconds(now) * 1_000);
  }

  /** Null for a tenant without a rate limit. */
  headersOf(tenantId: string): RateHeaders | null {
    const now = this.monotonicMs();
    const shares = this.sharesOf(tenantId, now);
    const known = RATE_KINDS.flatMap((kind) => {
      const share = shares[kind];
      if (share === null) return [];
      const unit = kind === 'bytes' ? ';qu="content-bytes"' : '';
      const remaining = share.remaining(now);
      const seconds = Math.ceil((share.burst - remaining) / share.perSecond);
      return [
        {
          policy: `"${kind}";q=${Math.floor(share.burst)};w=${BURST_SECONDS}${unit}`,
          limit: `"${kind}";r=${remaining};t=${seconds}`,
        },
      ];
    });
    if (known.length === 0) return null;
    return {
      policy: known.map(({ policy }) => policy).join(', '),
      limit: known.map(({ limit }) => limit).join(', '),
    };
  }

  private spend(tenantId: string, shares: Shares, kind: RateKind, now: number, cost: number): void {
    const share = shares[kind];
    if (share === null) return;
    const wait = share.waitSeconds(now);
    if (wait === 0) share.spend(cost);
    this.lease(tenantId, kind, share, now);
    if (wait > 0) throw new RateLimited(Math.max(1, Math.ceil(wait)), kind);
  }

  private sharesOf(tenantId: string, now: number): Shares {
    const { requestsPerSecond, bytesPerSecond } = this.limits.of(tenantId);
    let shares = this.tenants.get(tenantId);
    if (shares === undefined) {
      if (this.tenants.size >= MAX_TENANTS) this.tenants.clear();
      this.tenants.set(tenantId, (shares = { requests: null, bytes: null }));
    }
    fit(shares, 'requests', requestsPerSecond, now);
    fit(shares, 'bytes', bytesPerSecond, now);
    return shares;
  }

  private lease(tenantId: string, kind: RateKind, share: LeasedShare, now: number): void {
    if (!share.needsLease(now)) return;
    share.asked(now);
    this.wants.push({ tenantId, kind, share });
    // Batch with other requests of this moment.
    if (!this.isLeasing && this.wants.length === 1) setImmediate(() => void this.leaseAll());
  }

  private async leaseAll(): Promise<void> {
    this.isLeasing = true;
    while (this.wants.length > 0) {
      const wants = this.wants;
      this.wants = [];
      const terms = wants.map(({ tenantId, kind, share }) => {
        const { perSecond, burst } = share;
        return { tenantId, kind, perSecond, burst, ...share.terms() };
      });
      try {
        const leases = await this.budgets.lease(this.holder, terms);
        const now = this.monotonicMs();
        const found = new Map<string, BudgetLease>(leases.map((lease) => [`${lease.tenantId} ${lease.kind}`, lease]));
        for (const [at, { tenantId, kind, share }] of wants.entries()) {
          const lease = found.get(`${tenantId} ${kind}`);
          if (lease === undefined) share.failed(now);
          else share.granted(lease, terms[at]?.debt ?? 0, now);
        }
      } catch (error) {
        const now = this.monotonicMs();
        for (const { share } of wants) share.failed(now);
        this.onLeaseFailed(error);
      }
    }
    this.isLeasing = false;
  }
}

/** Applies the current rate to the share; a changed rate resets the share and asks the store immediately. */
const fit = (shares: Shares, kind: RateKind, perSecond: number | null, now: number): void => {
  if (perSecond === null) shares[kind] = null;
  else if (shares[kind]?.perSecond !== perSecond) shares[kind] = new LeasedShare(perSecond, now);
};
