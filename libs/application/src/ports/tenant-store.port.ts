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
  findByName(name: string): Promise<Tenant | null>;
  /** By name, behind the name `after`. */
  list(page: { readonly limit: number; readonly after?: string | undefined }): Promise<readonly Tenant[]>;
  /** Null when there is no such tenant. */
  limit(tenantId: string, requestsPerSecond: number | null): Promise<Tenant | null>;
}
