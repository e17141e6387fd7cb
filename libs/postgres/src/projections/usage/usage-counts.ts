import type { LogUsage, SessionScope } from '@turnkeeper/application';
import type { TenantPool } from '../../connections/tenant-pool.js';
import type { PgSessionActivity } from '../../log/read/pg-session-activity.js';

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

/** Position up to which the index of sessions has counted. */
const COUNTED = `(select c.position from question_cursor c where c.name = 'activity')`;

/** Events `u` that were deleted after they had been counted, of a session that was not deleted. */
const COUNTED_DELETIONS = `u.actor_key is null and (u.position is null or u.position <= ${COUNTED})`;

/** Exported for the test that compares plans. */
export const MEMORY_USAGE = `
  with added as materialized (
    select a.* from uncounted_sessions($1, $2, ${COUNTED}) a
  ), deleted as materialized (
    select u.actor_key, u.messages, u.binaries from usage_changes u
     where u.memory_id = $2 and u.tenant_id = $1
       and (u.actor_key is not null or (${COUNTED_DELETIONS}
         and exists (select from session_activity a where a.session_key = u.session_key)))
  ), of_actors as (
    select d.actor_key, sum(d.sessions) as sessions from (
      select a.actor_key, 1 as sessions from added a where a.is_new
      union all
      select d.actor_key, -1 from deleted d where d.actor_key is not null
    ) d group by d.actor_key
  ), pending as (
    select (select count(*) filter (where a.is_new) from added a) - (select count(d.actor_key) from deleted d) as sessions,
           coalesce(sum(n.messages), 0) as messages, coalesce(sum(n.binaries), 0) as binaries
      from (select messages, binaries from added union all select messages, binaries from deleted) n
  ), actors as (
    select coalesce(sum((coalesce(i.sessions, 0) + o.sessions > 0)::int - (coalesce(i.sessions, 0) > 0)::int), 0) as actors
      from of_actors o
      left join lateral (
        select c.sessions from actor_counts c where c.memory_id = $2 and c.actor_key = o.actor_key limit 1
      ) i on true
  )
  select (coalesce(m.actors, 0) + a.actors)::float8 as actors,
         (coalesce(m.sessions, 0) + p.sessions)::float8 as sessions,
         (coalesce(m.messages, 0) + p.messages - e.messages)::float8 as messages,
         (coalesce(m.binaries, 0) + p.binaries - e.binaries)::float8 as "binaryEvents"
    from pending p cross join actors a cross join ${expiredIn('true')} e
    left join memory_counts m on m.memory_id = $2 and m.tenant_id = $1`;

/** One row, or none if there is no such session or it is not counted. */
export const SESSION_USAGE = `
  select (coalesce(a.messages, 0) + added.messages + deleted.messages - expired.messages)::float8 as messages,
         (coalesce(a.binaries, 0) + added.binaries + deleted.binaries - expired.binaries)::float8 as binaries
    from sessions o
    left join session_activity a on a.session_key = o.session_key
   cross join lateral (
     select count(*) filter (where e.type = 'message.appended') as messages,
            count(*) filter (where e.type = 'binary.appended') as binaries
       from events e
      where e.session_key = o.session_key and e.sequence > coalesce((
        select b.sequence from events b
         where b.session_key = o.session_key and b.sequence is not null and b.position <= ${COUNTED}
         order by b.sequence desc limit 1), 0)
   ) added
   cross join lateral (
     select coalesce(sum(u.messages), 0) as messages, coalesce(sum(u.binaries), 0) as binaries from usage_changes u
      where u.memory_id = o.memory_id and u.session_key = a.session_key and ${COUNTED_DELETIONS}
   ) deleted
   cross join lateral ${expiredIn('e.session_key = o.session_key')} expired
   where o.tenant_id = $1 and o.memory_id = $2 and o.actor_id = $3 and o.session_id = $4 and o.session_id >= chr(2)`;

/**
 * Counts of a memory's content: those stored with the index of sessions, and what is behind it. Reading them costs the
 * same for any size of log, takes no lock and includes everything committed before.
 */
export class UsageCounts {
  constructor(
    private readonly tenants: TenantPool,
    private readonly activity: Pick<PgSessionActivity, 'comeNear'>,
  ) {}

  /** Readable contents of a memory. */
  async ofMemory(tenantId: string, memoryId: string): Promise<LogUsage> {
    await this.activity.comeNear();
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

  /** By the index of sessions, which has their names. */
  async sessionsOfActor(tenantId: string, memoryId: string, actorId: string): Promise<number> {
    const { rows } = await this.tenants.query<{ sessions: number }>(
      tenantId,
      `select count(*)::float8 as sessions from sessions s
        where s.tenant_id = $1 and s.memory_id = $2 and s.actor_id = $3 and s.session_id >= chr(2)`,
      [tenantId, memoryId, actorId],
    );
    return rows[0]?.sessions ?? 0;
  }
}
