import type { DataSource } from 'typeorm';
import { rowsOf } from '../../connections/database.js';

const DUE_WORK = `
  select count(*)::int as count from (
    select 1 from extraction_states where tenant_id = $1 and due_at <= now()
    union all
    select 1 from webhook_endpoints e join webhook_deliveries d using (endpoint_id)
     where e.tenant_id = $1 and d.tenant_id = $1 and d.due_at <= now()
    union all
    select 1 from connector_calls where tenant_id = $1 and due_at <= now()
    limit $2
  ) due`;

/**
 * Counts rows; counts due work only up to the requested limit. Only operators see keys, so it works for all tenants.
 */
/** A tenant's usage of limited resources. */
export class PgTenantUsage {
  constructor(private readonly dataSource: DataSource) {}

  memories(tenantId: string): Promise<number> {
    return this.count(
      `select count(*)::int as count from memories where tenant_id = $1 and status = 'ACTIVE'`,
      tenantId,
    );
  }

  /** Keys that are neither revoked nor expired. */
  keys(tenantId: string): Promise<number> {
    return this.count(
      `select count(*)::int as count from api_keys
        where tenant_id = $1 and revoked_at is null and (expires_at is null or expires_at > now())`,
      tenantId,
    );
  }

  webhookEndpoints(tenantId: string): Promise<number> {
    return this.count('select count(*)::int as count from webhook_endpoints where tenant_id = $1', tenantId);
  }

  /** Due extractions, deliveries and callbacks; counted up to `most`. */
  dueWork(tenantId: string, most: number): Promise<number> {
    return this.count(DUE_WORK, tenantId, most);
  }

  private async count(text: string, ...parameters: unknown[]): Promise<number> {
    const [row] = await rowsOf<{ count: number }>(this.dataSource, text, parameters);
    return row?.count ?? 0;
  }
}
