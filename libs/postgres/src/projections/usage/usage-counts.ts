import type { LogUsage, SessionScope } from '@turnkeeper/application';
import type pg from 'pg';
import type { TenantPool } from '../../connections/tenant-pool.js';

/** Sessions whose changes one statement adds to the counters. */
const AT_ONCE = 1_000;

/**
 * Expired events of a scope that the purge has not deleted yet, by type. They are still in the counters. Reads only
 * expired rows: the purge deletes them within a minute.
 */
const expiredIn = (scope: string): string => `
  (select count(*) filter (where e.type = 'message.appended') as messages,
          count(*) filter (where e.type = 'binary.appended') as binaries
     from (
       select x.type, x.session_key from events x
        where x.expires_at <= now() and x.tenant_id = $1 and x.memory_id = $2 and x.sequence is not null
       -- A fence: the index of expiries finds the rows, not those of the scope.
       offset 0
     ) e join sessions s using (session_key)
    where s.session_id >= chr(2) and ${scope})`;

/** Exported for the test that compares plans. */
export const MEMORY_USAGE = `
  select coalesce(m.actors, 0)::float8 as actors, coalesce(m.sessions, 0)::float8 as sessions,
         (coalesce(m.messages, 0) - expired.messages)::float8 as messages,
         (coalesce(m.binaries, 0) - expired.binaries)::float8 as "binaryEvents"
    from ${expiredIn('true')} expired
    left join memory_counts m on m.memory_id = $2 and m.tenant_id = $1`;

/** One row, or none if there is no such session or it is not counted. */
export const SESSION_USAGE = `
  select (c.messages - expired.messages)::float8 as messages, (c.binaries - expired.binaries)::float8 as binaries
    from sessions o
    join session_counts c on c.session_key = o.session_key
   cross join lateral ${expiredIn('e.session_key = o.session_key')} expired
   where o.tenant_id = $1 and o.memory_id = $2 and o.actor_id = $3 and o.session_id = $4`;

const ACTOR_SESSIONS = `
  select sessions::float8 from actor_counts
   where tenant_id = $1 and memory_id = $2 and actor_key = usage_actor($2::uuid, $3::text)`;

/** Stored counts of a memory's content. Reading them costs the same for any size of log. */
export class UsageCounts {
  /** @param pool sees every tenant's rows */
  constructor(
    private readonly pool: pg.Pool,
    private readonly tenants: TenantPool,
  ) {}

  /** Readable contents of a memory, including everything committed before the call. */
  async ofMemory(tenantId: string, memoryId: string): Promise<LogUsage> {
    await this.foldMemory(tenantId, memoryId);
    const { rows } = await this.tenants.query<LogUsage>(tenantId, MEMORY_USAGE, [tenantId, memoryId]);
    return rows[0] as LogUsage;
  }

  /** Readable messages and binary events of a session; null if it is not counted. */
  async ofSession(scope: SessionScope): Promise<{ readonly messages: number; readonly binaries: number } | null> {
    const { tenantId, memoryId, actorId, sessionId } = scope;
    await this.foldMemory(tenantId, memoryId);
    const { rows } = await this.tenants.query<{ messages: number; binaries: number }>(tenantId, SESSION_USAGE, [
      ...[tenantId, memoryId, actorId, sessionId],
    ]);
    return rows[0] ?? null;
  }

  async sessionsOfActor(tenantId: string, memoryId: string, actorId: string): Promise<number> {
    await this.foldMemory(tenantId, memoryId);
    const { rows } = await this.tenants.query<{ sessions: number }>(tenantId, ACTOR_SESSIONS, [
      ...[tenantId, memoryId, actorId],
    ]);
    return rows[0]?.sessions ?? 0;
  }

  /** Adds recorded changes of all memories to the counters. Returns false if there are none left. */
  async fold(): Promise<boolean> {
    const { rows } = await this.pool.query<{ folded: number }>('select fold_usage(null, $1) as folded', [AT_ONCE]);
    return rows[0]?.folded === AT_ONCE;
  }

  /** Makes all counts again from the log. */
  async recount(): Promise<void> {
    await this.pool.query('select recount_usage()');
    while (await this.fold());
  }

  private async foldMemory(tenantId: string, memoryId: string): Promise<void> {
    for (;;) {
      const { rows } = await this.tenants.query<{ folded: number }>(tenantId, 'select fold_usage($1, $2) as folded', [
        ...[memoryId, AT_ONCE],
      ]);
      if ((rows[0]?.folded ?? 0) < AT_ONCE) return;
    }
  }
}
