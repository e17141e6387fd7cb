import type { TenantStore } from '@turnkeeper/application';
import { limitsOf, type LimitName, type TenantLimits } from '@turnkeeper/domain';

/** How long a tenant's own limits are believed. */
const BELIEVED_MS = 5_000;
const MAX_TENANTS = 10_000;

interface Known {
  limits: TenantLimits;
  until: number;
}

/** The limits of tenants: at hand for every request, and refreshed behind it. */
export class KnownLimits {
  private readonly known = new Map<string, Known>();

  /**
   * @param standard of tenants that have none of their own
   * @param monotonicMs a clock that never jumps
   */
  constructor(
    readonly standard: TenantLimits,
    private readonly tenants: Pick<TenantStore, 'find'>,
    private readonly monotonicMs = (): number => performance.now(),
  ) {}

  /** What was known last, at first the installation's limits; asks again where that is old. Never waits. */
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
      // Where the store is away, the known limits hold, and the next refresh asks again.
      void this.current(tenantId).then(
        (limits) => void (known.limits = limits),
        () => undefined,
      );
    }
    return known.limits;
  }

  /** Looks up one limit as it is stored now, for what is done seldom. */
  mostOf(name: LimitName): (tenantId: string) => Promise<number | null> {
    return async (tenantId) => (await this.current(tenantId))[name];
  }

  /** The limits as they are stored now. Rejects when the store is away. */
  async current(tenantId: string): Promise<TenantLimits> {
    const tenant = await this.tenants.find(tenantId);
    if (tenant === null) return this.standard;
    const { requestsPerSecond, limits } = tenant;
    return limitsOf(this.standard, { ...limits, ...(requestsPerSecond === null ? {} : { requestsPerSecond }) });
  }
}
