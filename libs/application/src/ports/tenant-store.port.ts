import type { LimitName, OwnLimits } from '@turnkeeper/domain';

/** Every limit but the requests per second, which are a member of the tenant itself. */
export type OtherLimits = Omit<OwnLimits, 'requestsPerSecond'>;

/** Limits to set; null for the installation's own. What is absent stays. */
export type LimitChanges = { readonly [Name in LimitName]?: number | null | undefined };

export interface Tenant {
  readonly tenantId: string;
  readonly name: string;
  /** Requests per second; null for the installation's own limit. */
  readonly requestsPerSecond: number | null;
  /** The tenant's own limits beside that; what is absent is the installation's. */
  readonly limits: OtherLimits;
  readonly createdAt: string;
}

export interface TenantStore {
  /** Rejects with `TenantNameTaken`. */
  insert(tenant: Tenant): Promise<void>;
  /** The tenant of this name, made when it is not there yet. */
  ensure(tenant: Tenant): Promise<Tenant>;
  find(tenantId: string): Promise<Tenant | null>;
  findByName(name: string): Promise<Tenant | null>;
  /** By name, behind the name `after`. */
  list(page: { readonly limit: number; readonly after?: string | undefined }): Promise<readonly Tenant[]>;
  /** Null when there is no such tenant. */
  limit(tenantId: string, changes: LimitChanges): Promise<Tenant | null>;
}
