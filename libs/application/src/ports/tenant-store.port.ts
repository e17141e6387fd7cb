export interface Tenant {
  readonly tenantId: string;
  readonly name: string;
  /** Requests per second and ingest process; null for the installation's own limit. */
  readonly requestsPerSecond: number | null;
  readonly createdAt: string;
}

export interface TenantStore {
  /** Rejects with `TenantNameTaken`. */
  insert(tenant: Tenant): Promise<void>;
  /** The tenant of this name, made when it is not there yet. */
  ensure(tenant: Tenant): Promise<Tenant>;
  find(tenantId: string): Promise<Tenant | null>;
  /** By name. */
  list(page: { readonly offset: number; readonly limit: number }): Promise<{
    readonly rows: readonly Tenant[];
    readonly total: number;
  }>;
  /** Null when there is no such tenant. */
  limit(tenantId: string, requestsPerSecond: number | null): Promise<Tenant | null>;
}
