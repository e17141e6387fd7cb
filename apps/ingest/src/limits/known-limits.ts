import type { TenantStore } from '@turnkeeper/application';
import { limitsOf, type LimitName, type TenantLimits } from '@turnkeeper/domain';

/** How long a tenant's own limits are cached. */
const BELIEVED_MS = 5_000;
const MAX_TENANTS = 10_000;

interface Known {
  limits: TenantLimits;
  until: number;
}

/** Cached limits of tenants, refreshed in the background. */
export class KnownLimits {
  private readonly known = new Map<string, Known>();

  /**
   * @param standard default limits
   * @param monotonicMs a monotonic clock
   */
  constructor(
    readonly standard: TenantLimits,
    private readonly tenants: Pick<TenantStore, 'find'>,
    private readonly monotonicMs = (): number => performance.now(),
  ) {}

  /**
   * Returns the cached limits, initially the installation's, and refreshes stale ones in the background. Never waits.
   */
  of(tenantId: string): TenantLimits {
    const now = this.monotonicMs();
    let known = this.known.get(tenantId);
    if (known === undefined) {
      if (this.known.size >= MAX_TENANTS) this.known.clear();
      known = { limits: this.standard, until: Number.NEGATIVE_INFINITY };
      this.known.set(tenantId, known);
    }
    if (known.until <= now) {
      known.until = now + BELIEVED_MS;
      // If the store is down, the cached limits stay in force and the next refresh retries.
      void this.current(tenantId).then(
        (limits) => void (known.limits = limits),
        () => undefined,
      );
    }
    return known.limits;
  }

  /** Reads one limit from the store, for infrequent operations. */
  mostOf(name: LimitName): (tenantId: string) => Promise<number | null> {
    return async (tenantId) => (await this.current(tenantId))[name];
  }

  /** Reads the limits from the store. Rejects if the store is down. */
  async current(tenantId: string): Promise<TenantLimits> {
    const tenant = await this.tenants.find(tenantId);
    if (tenant === null) return this.standard;
    const { requestsPerSecond, limits } = tenant;
    return limitsOf(this.standard, { ...limits, ...(requestsPerSecond === null ? {} : { requestsPerSecond }) });
  }
}
