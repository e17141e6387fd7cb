/** How much of what is counted a tenant has. */
export interface TenantUsage {
  memories(tenantId: string): Promise<number>;
  /** Keys that are neither revoked nor expired. */
  keys(tenantId: string): Promise<number>;
  webhookEndpoints(tenantId: string): Promise<number>;
  /** Extractions, deliveries and callbacks that are due; stops counting at `most`. */
  dueWork(tenantId: string, most: number): Promise<number>;
}
