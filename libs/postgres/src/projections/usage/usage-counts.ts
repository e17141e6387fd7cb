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

/** Counts of a memory's sessions with changes that no fold has added yet. $1 tenant, $2 memory */
const PENDING = `
  select p.* from (
    select array_agg(c.memory_id) as memories, array_agg(c.session_key) as keys from (
      select distinct u.memory_id, u.session_key from usage_changes u where u.memory_id = $2 and u.tenant_id = $1
    ) c
  ) changed cross join lateral changed_counts(changed.memories, changed.keys) p`;

/** Exported for the test that compares plans. */
export const MEMORY_USAGE = `
  with pending as materialized (${PENDING})
  select (coalesce(m.actors, 0) + added.actors)::float8 as actors,
         (coalesce(m.sessions, 0) + changed.sessions)::float8 as sessions,
         (coalesce(m.messages, 0) + changed.messages - expired.messages)::float8 as messages,
         (coalesce(m.binaries, 0) + changed.binaries - expired.binaries)::float8 as "binaryEvents"
    from ${expiredIn('true')} expired
   cross join (
     select coalesce(sum(p.lives::int - p.was::int), 0) as sessions,
            coalesce(sum(p.messages - p.old_messages), 0) as messages,
            coalesce(sum(p.binaries - p.old_binaries), 0) as binaries
       from pending p
   ) changed
   cross join (
     select coalesce(sum((coalesce(a.sessions, 0) + d.sessions > 0)::int - (coalesce(a.sessions, 0) > 0)::int), 0) as actors
       from (select p.actor_key, sum(p.lives::int - p.was::int) as sessions from pending p group by p.actor_key) d
       left join lateral (
         select i.sessions from actor_counts i where i.memory_id = $2 and i.actor_key = d.actor_key limit 1
       ) a on true
   ) added
    left join memory_counts m on m.memory_id = $2 and m.tenant_id = $1`;

/** One row, or none if there is no such session or it is not counted. */
export const SESSION_USAGE = `
  select (coalesce(p.messages, c.messages) - expired.messages)::float8 as messages,
         (coalesce(p.binaries, c.binaries) - expired.binaries)::float8 as binaries
    from sessions o
    left join session_counts c on c.session_key = o.session_key
    left join lateral changed_counts(array[o.memory_id], array[o.session_key]) p on true
   cross join lateral ${expiredIn('e.session_key = o.session_key')} expired
   where o.tenant_id = $1 and o.memory_id = $2 and o.actor_id = $3 and o.session_id = $4
     and coalesce(p.lives, c.session_key is not null)`;

const ACTOR_SESSIONS = `
  with pending as materialized (${PENDING})
  select (coalesce((select a.sessions from actor_counts a
                     where a.tenant_id = $1 and a.memory_id = $2 and a.actor_key = actor.key), 0)
          + coalesce((select sum(p.lives::int - p.was::int) from pending p where p.actor_key = actor.key), 0))::float8
         as sessions
    from (select usage_actor($2::uuid, $3::text) as key) actor`;

/**
 * Stored counts of a memory's content, and the recorded changes that were not added to them yet. Reading them costs the
 * same for any size of log, takes no lock and includes everything committed before.
 */
export class UsageCounts {
  /** @param pool sees every tenant's rows */
  constructor(
    private readonly pool: pg.Pool,
    private readonly tenants: TenantPool,
  ) {}

  /** Readable contents of a memory. */
  async ofMemory(tenantId: string, memoryId: string): Promise<LogUsage> {
    const { rows } = await this.tenants.query<LogUsage>(tenantId, MEMORY_USAGE, [tenantId, memoryId]);
    return rows[0] as LogUsage;
  }

  /** Readable messages and binary events of a session; null if it is not counted. */
  async ofSession(scope: SessionScope): Promise<{ readonly messages: number; readonly binaries: number } | null> {
    const { tenantId, memoryId, actorId, sessionId } = scope;
    const { rows } = await this.tenants.query<{ messages: number; binaries: number }>(tenantId, SESSION_USAGE, [
      ...[tenantId, memoryId, actorId, sessionId],
    ]);
    return rows[0] ?? null;
  }

  async sessionsOfActor(tenantId: string, memoryId: string, actorId: string): Promise<number> {
    const { rows } = await this.tenants.query<{ sessions: number }>(tenantId, ACTOR_SESSIONS, [
      ...[tenantId, memoryId, actorId],
    ]);
    return rows[0]?.sessions ?? 0;
  }

  /**
   * Adds recorded changes of all memories to the counters. Returns false if there are none left, or those left are being
   * folded elsewhere or have locked rows.
   */
  async fold(): Promise<boolean> {
    const { rows } = await this.pool.query<{ folded: number }>('select fold_usage(null, $1) as folded', [AT_ONCE]);
    return rows[0]?.folded === AT_ONCE;
  }

  /** Makes all counts again from the log. */
  async recount(): Promise<void> {
    await this.pool.query('select recount_usage()');
    while (await this.fold());
  }
}
