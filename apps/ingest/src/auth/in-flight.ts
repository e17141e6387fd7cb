import { TooManyInFlight } from './auth-errors.js';

/** How many requests of each tenant this process serves now: one tenant must not take every place in every queue. */
export class InFlight {
  private readonly byTenant = new Map<string, number>();

  /** @param most requests of one tenant at the same time */
  constructor(private readonly most: number) {}

  /** Counts a request, or throws `TooManyInFlight`. */
  begin(tenantId: string): void {
    const now = this.byTenant.get(tenantId) ?? 0;
    if (now >= this.most) throw new TooManyInFlight();
    this.byTenant.set(tenantId, now + 1);
  }

  end(tenantId: string): void {
    const left = (this.byTenant.get(tenantId) ?? 0) - 1;
    if (left > 0) this.byTenant.set(tenantId, left);
    else this.byTenant.delete(tenantId);
  }
}
