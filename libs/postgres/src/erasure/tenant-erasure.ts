import type { ErasedTenantRows, TenantErasure } from '@turnkeeper/application';
import type { DataSource } from 'typeorm';
import { rowsOf } from '../connections/database.js';
import { sqlOf } from '../connections/sql.js';

/**
 * Tables whose rows are deleted with their tenant, ordered by their references. Rows that hang on these are deleted with
 * them. A test compares this list with the database.
 */
export const TENANT_TABLES = [
  'webhook_deliveries',
  'webhook_endpoints',
  'connector_notices',
  'connector_calls',
  'connectors',
  'vendor_apps',
  'vendor_signatures',
  'idempotent_requests',
  'erased_event_ids',
  'record_deletions',
  'rate_budgets',
  'model_usage',
  'strategy_model_usage',
] as const;

const BATCH = 5_000;

/** Operators delete tenants, so it works for all of them. */
export class PgTenantErasure implements TenantErasure {
  constructor(private readonly dataSource: DataSource) {}

  close(tenantId: string): Promise<{ readonly wasOpen: boolean; readonly keys: number } | null> {
    return this.dataSource.transaction(async (manager) => {
      const [tenant] = await sqlOf<{ deleted: boolean }>(manager)`
        select deleted_at is not null as deleted from tenants where tenant_id = ${tenantId} for update`;
      if (tenant === undefined) return null;
      const keys = await rowsOf(manager, 'delete from api_keys where tenant_id = $1 returning 1', [tenantId]);
      const closed = { wasOpen: !tenant.deleted, keys: keys.length };
      if (tenant.deleted) return closed;
      await sqlOf(manager)`
        update tenants set deleted_at = now(), name = 'deleted ' || tenant_id, limits = '{}', requests_per_second = null
          where tenant_id = ${tenantId}`;
      return closed;
    });
  }

  async count(tenantId: string): Promise<ErasedTenantRows> {
    const [row] = await sqlOf<ErasedTenantRows>(this.dataSource)`
      select (select count(*) from agents where tenant_id = ${tenantId})::float8 as agents,
             (select count(*) from extraction_states where tenant_id = ${tenantId})::float8 as "extractionStates",
             (select count(*) from rolling_sessions where tenant_id = ${tenantId})::float8 as "rollingMemories",
             (select count(*) from webhook_deliveries where tenant_id = ${tenantId})::float8 as "webhookDeliveries",
             (select count(*) from connector_notices n join connectors c using (connector_id)
               where c.tenant_id = ${tenantId} and n.body is not null)::float8 as "vendorCallbacks",
             (select count(*) from graph_threads where tenant_id = ${tenantId})::float8 as "graphThreads",
             (select count(*) from graph_items where tenant_id = ${tenantId})::float8 as "graphItems"`;
    return row as ErasedTenantRows;
  }

  async eraseRows(tenantId: string): Promise<void> {
    for (const table of TENANT_TABLES) {
      for (let deleted = BATCH; deleted === BATCH;) {
        const rows = await rowsOf(
          this.dataSource,
          `delete from ${table} where ctid = any(array(select ctid from ${table} where tenant_id = $1 limit $2))
           returning 1`,
          [tenantId, BATCH],
        );
        deleted = rows.length;
      }
    }
  }
}
