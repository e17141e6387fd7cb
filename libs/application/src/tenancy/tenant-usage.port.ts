/** A tenant's usage of limited resources. */
export interface TenantUsage {
  memories(tenantId: string): Promise<number>;
  /** Keys that are neither revoked nor expired. */
  keys(tenantId: string): Promise<number>;
  webhookEndpoints(tenantId: string): Promise<number>;
  /** Due extractions, deliveries and callbacks; counted up to `most`. */
  dueWork(tenantId: string, most: number): Promise<number>;
}
