import { TooManyInFlight } from '../auth/auth-errors.js';

/** Counts concurrent requests per tenant in this process, so that one tenant cannot fill every queue. */
export class InFlight {
  private readonly byTenant = new Map<string, number>();

  /**
   * @param mostOf concurrent requests of a tenant; null for no limit
   * @param refusal thrown beyond it
   */
  constructor(
    private readonly mostOf: (tenantId: string) => number | null,
    private readonly refusal: () => Error = () => new TooManyInFlight(),
  ) {}

  /** Counts a request, or throws the refusal. */
  begin(tenantId: string): void {
    const now = this.byTenant.get(tenantId) ?? 0;
    if (now >= (this.mostOf(tenantId) ?? Number.POSITIVE_INFINITY)) throw this.refusal();
    this.byTenant.set(tenantId, now + 1);
  }

  /** Requests of the tenant in progress in this process. */
  of(tenantId: string): number {
    return this.byTenant.get(tenantId) ?? 0;
  }

  end(tenantId: string): void {
    const left = (this.byTenant.get(tenantId) ?? 0) - 1;
    if (left > 0) this.byTenant.set(tenantId, left);
    else this.byTenant.delete(tenantId);
  }
}
