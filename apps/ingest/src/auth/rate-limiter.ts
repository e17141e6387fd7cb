import type { TenantStore } from '@turnkeeper/application';
import { RateLimited } from './auth-errors.js';

/** How long a tenant's limit is believed. */
const LIMIT_MS = 5_000;
const MAX_TENANTS = 10_000;
/** A bucket holds what this many seconds give: a short burst after a quiet moment is let through. */
const BURST_SECONDS = 2;

interface Bucket {
  tokens: number;
  filledAt: number;
  /** Requests per second; null for no limit. */
  limit: number | null;
  limitUntil: number;
}

/**
 * A token bucket per tenant, in this process: a limit must hold while Postgres and Redis are slow, and it costs no round
 * trip. With several ingest processes a tenant has as many buckets; the settings say so.
 */
export class RateLimiter {
  private readonly buckets = new Map<string, Bucket>();

  /**
   * @param standard requests per second of tenants that have no limit of their own; 0 for none
   * @param monotonicMs a clock that never jumps: with one that is set back, no bucket would fill until it has caught up
   */
  constructor(
    private readonly standard: number,
    private readonly tenants: Pick<TenantStore, 'find'>,
    private readonly monotonicMs = (): number => performance.now(),
  ) {}

  /** Lets a request of the tenant in, or throws `RateLimited`. */
  take(tenantId: string): void {
    const now = this.monotonicMs();
    const bucket = this.bucketOf(tenantId, now);
    const { limit } = bucket;
    if (limit === null) return;
    const most = limit * BURST_SECONDS;
    bucket.tokens = Math.min(most, bucket.tokens + ((now - bucket.filledAt) / 1_000) * limit);
    bucket.filledAt = now;
    if (bucket.tokens < 1) throw new RateLimited(Math.max(1, Math.ceil((1 - bucket.tokens) / limit)));
    bucket.tokens -= 1;
  }

  /** A request that was let in turned out to be worth so many more. The tenant then waits until they are paid. */
  charge(tenantId: string, requests: number): void {
    const bucket = this.buckets.get(tenantId);
    if (bucket !== undefined) bucket.tokens -= requests;
  }

  private bucketOf(tenantId: string, now: number): Bucket {
    let bucket = this.buckets.get(tenantId);
    if (bucket === undefined) {
      if (this.buckets.size >= MAX_TENANTS) this.buckets.clear();
      const limit = this.standard === 0 ? null : this.standard;
      bucket = { tokens: (limit ?? 0) * BURST_SECONDS, filledAt: now, limit, limitUntil: Number.NEGATIVE_INFINITY };
      this.buckets.set(tenantId, bucket);
    }
    if (bucket.limitUntil <= now) this.refresh(tenantId, bucket, now);
    return bucket;
  }

  /** Asks for the tenant's own limit, and goes on with the one that is known until the answer is there. */
  private refresh(tenantId: string, bucket: Bucket, now: number): void {
    bucket.limitUntil = now + LIMIT_MS;
    const apply = (own: number | null | undefined): void => {
      const limit = own ?? (this.standard === 0 ? null : this.standard);
      if (limit === bucket.limit) return;
      bucket.limit = limit;
      bucket.tokens = (limit ?? 0) * BURST_SECONDS;
    };
    this.tenants.find(tenantId).then(
      (tenant) => apply(tenant?.requestsPerSecond),
      // The known limit holds; the next refresh asks again.
      () => undefined,
    );
  }
}
