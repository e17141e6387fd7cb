import { TenantNotFound } from '@turnkeeper/domain';
import type { Clock, Ids } from '../shared/clock.port.js';
import type { LimitChanges, OtherLimits, Tenant, TenantStore } from './tenant-store.port.js';
import type { PageAfter } from '../memories/memory-store.port.js';

/** Creates and lists tenants and sets their limits. For operators. */
export class ManageTenants {
  constructor(private readonly deps: { readonly tenants: TenantStore; readonly ids: Ids; readonly clock: Clock }) {}

  async create(name: string, requestsPerSecond: number | null, limits: OtherLimits = {}): Promise<Tenant> {
    const { tenants, ids, clock } = this.deps;
    const tenant = { tenantId: ids.next(), name, requestsPerSecond, limits, createdAt: clock.now().toISOString() };
    await tenants.insert(tenant);
    return tenant;
  }

  /** Returns the tenant with this name; creates it if missing. */
  ensure(name: string): Promise<Tenant> {
    const { tenants, ids, clock } = this.deps;
    const createdAt = clock.now().toISOString();
    return tenants.ensure({ tenantId: ids.next(), name, requestsPerSecond: null, limits: {}, createdAt });
  }

  findByName(name: string): Promise<Tenant | null> {
    return this.deps.tenants.findByName(name);
  }

  list(page: PageAfter): Promise<readonly Tenant[]> {
    return this.deps.tenants.list(page);
  }

  async get(tenantId: string): Promise<Tenant> {
    const tenant = await this.deps.tenants.find(tenantId);
    if (tenant === null) throw new TenantNotFound();
    return tenant;
  }

  /** Sets the tenant's own limits. */
  async limit(tenantId: string, changes: LimitChanges): Promise<Tenant> {
    const tenant = await this.deps.tenants.limit(tenantId, changes);
    if (tenant === null) throw new TenantNotFound();
    return tenant;
  }
}
