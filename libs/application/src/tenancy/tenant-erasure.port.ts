import type { ErasedCounts } from '@turnkeeper/domain';

/** Rows of a tenant outside of its log. */
export type ErasedTenantRows = Omit<ErasedCounts, 'sessions' | 'events' | 'records'>;

/** Deletes what belongs to a tenant as a whole. Its memories are deleted one by one. */
export interface TenantErasure {
  /**
   * Ends the tenant: its keys are deleted, and its name can be used again. Resolves to the number of keys and whether it
   * was open; null if there never was such a tenant.
   */
  close(tenantId: string): Promise<{ readonly wasOpen: boolean; readonly keys: number } | null>;
  /** Counts rows that the deletion of the memories or `eraseRows` removes. */
  count(tenantId: string): Promise<ErasedTenantRows>;
  /** Deletes endpoints, deliveries, connectors, callbacks, vendor apps, stored answers and usage. In batches. */
  eraseRows(tenantId: string): Promise<void>;
}
