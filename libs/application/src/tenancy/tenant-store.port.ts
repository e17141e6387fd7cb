import type { LimitName, OwnLimits } from '@turnkeeper/domain';
import type { PageAfter } from '../memories/memory-store.port.js';

/** All limits except requests per second, which is a field of the tenant itself. */
export type OtherLimits = Omit<OwnLimits, 'requestsPerSecond'>;

/** Limits to set; null restores the installation's default. Absent limits are unchanged. */
export type LimitChanges = { readonly [Name in LimitName]?: number | null | undefined };

export interface Tenant {
  readonly tenantId: string;
  readonly name: string;
  /** Null for the installation's default. */
  readonly requestsPerSecond: number | null;
  /** The tenant's other limits. Absent limits use the installation's default. */
  readonly limits: OtherLimits;
  readonly createdAt: string;
}

export interface TenantStore {
  /** Rejects with `TenantNameTaken`. */
  insert(tenant: Tenant): Promise<void>;
  /** Returns the tenant with this name; creates it if missing. */
  ensure(tenant: Tenant): Promise<Tenant>;
  find(tenantId: string): Promise<Tenant | null>;
  findByName(name: string): Promise<Tenant | null>;
  /** Ordered by name, starting after the name `after`. */
  list(page: PageAfter): Promise<readonly Tenant[]>;
  /** Returns null if there is no such tenant. */
  limit(tenantId: string, changes: LimitChanges): Promise<Tenant | null>;
}
