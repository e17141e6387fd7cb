import type { ModelUsage } from '@turnkeeper/application';
import type { DataSource } from 'typeorm';
import { rowsOf } from '../../connections/database.js';
import { sqlOf } from '../../connections/sql.js';

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

/** SQL that counts the connectors and vendor apps of a tenant. */
export const CONNECTORS_OF = (tenant: string): string =>
  `((select count(*) from connectors where tenant_id = ${tenant})
    + (select count(*) from vendor_apps where tenant_id = ${tenant}))`;

/** SQL that counts the current and replaced mappings of a tenant's instances, at most up to a limit. */
export const MAPPINGS_OF = (tenant: string, most: string): string =>
  `(select count(*) from (
      select 1 from connectors c join connector_instances i using (connector_id) where c.tenant_id = ${tenant}
      union all
      select 1 from connectors c join replaced_instances i using (connector_id) where c.tenant_id = ${tenant}
      limit ${most}::bigint) mapped)`;

/**
 * A tenant's usage of limited resources. What may be many rows is counted only up to the requested limit. Only operators
 * see keys, so it works for all tenants.
 */
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

  /** Connectors and vendor apps. */
  connectors(tenantId: string): Promise<number> {
    return this.count(`select ${CONNECTORS_OF('$1')}::int as count`, tenantId);
  }

  /** What its model cost by day (UTC) in the last 31 days, newest first. */
  modelUsage(tenantId: string): Promise<Omit<ModelUsage, 'strategyId'>[]> {
    return sqlOf<Omit<ModelUsage, 'strategyId'>>(this.dataSource)`
      select day::text, calls::float8, input_tokens::float8 as "inputTokens", output_tokens::float8 as "outputTokens"
         from model_usage where tenant_id = ${tenantId} and day > (now() at time zone 'UTC')::date - 31
           order by day desc`;
  }

  vendorAgents(tenantId: string): Promise<number> {
    return this.count('select count(*)::int as count from vendor_agents where tenant_id = $1', tenantId);
  }

  /** Current and replaced mappings of instances; counted up to `most`. */
  instanceMappings(tenantId: string, most: number): Promise<number> {
    return this.count(`select ${MAPPINGS_OF('$1', '$2')}::int as count`, tenantId, most);
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
