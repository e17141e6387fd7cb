import type { DataSource } from 'typeorm';
import { rowsOf, viewsFor } from '../connections/database.js';
import { sqlFor, sqlOf } from '../connections/sql.js';

/** One change or export. */
export interface AuditEntry {
  readonly tenantId: string;
  /** The key's id, or the subject of a token. */
  readonly keyId: string;
  /** Client address. */
  readonly address: string;
  /** Operation name. */
  readonly action: string;
  /** Method and path; parts that identify a person are hashed. */
  readonly resource: string;
  /** Response status. Rejected requests are logged as well. */
  readonly status: number;
  readonly requestId: string;
}

export interface KeptAuditEntry extends AuditEntry {
  /** Increases across all tenants. */
  readonly entry: number;
  /** ISO 8601, by the database clock. */
  readonly at: string;
}

/** Ordered by the column of the table. An unqualified "entry" is the number of the output, which no index has. */
export const LIST_ENTRIES = `
  select entry::float8, at, tenant_id, key_id, address, action, resource, status, request_id
    from audit_log a where tenant_id = $1 and entry > $2 order by a.entry limit $3`;

/** Append-only: the table rejects updates. */
export class PgAuditLog {
  constructor(private readonly dataSource: DataSource) {}

  async add({ tenantId, keyId, address, action, resource, status, requestId }: AuditEntry): Promise<void> {
    await sqlFor(this.dataSource, tenantId)`
      insert into audit_log (tenant_id, key_id, address, action, resource, status, request_id)
       values (${tenantId}, ${keyId}, ${address}, ${action}, ${resource}, ${status}, ${requestId})`;
  }

  /** Oldest first, starting after the given entry. */
  async list(tenantId: string, after: number, limit: number): Promise<readonly KeptAuditEntry[]> {
    return viewsFor<KeptAuditEntry>(this.dataSource, tenantId, LIST_ENTRIES, [tenantId, after, limit]);
  }

  /** Deletes up to `most` entries older than `days`. Resolves to their number. */
  async forget(days: number, most: number): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      await rowsOf(manager, `select set_config('turnkeeper.audit_days', $1, true)`, [String(days)]);
      const gone = await sqlOf(manager)`
        delete from audit_log where entry in (
           select entry from audit_log where at < now() - make_interval(days => ${days}) order by at limit ${most}
         ) returning entry`;
      return gone.length;
    });
  }
}
