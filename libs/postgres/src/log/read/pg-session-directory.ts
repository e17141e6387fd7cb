import type {
  ActorDetails,
  ActorView,
  CountedPage,
  ListPlace,
  LogUsage,
  SessionDetails,
  SessionDirectory,
  SessionScope,
  SessionView,
} from '@turnkeeper/application';
import type { LogEvent } from '@turnkeeper/domain';
import type pg from 'pg';
import type { TenantPool } from '../../connections/tenant-pool.js';
import type { UsageCounts } from '../../projections/usage/usage-counts.js';
import { COLUMNS, eventOf, heardIn, READABLE, type EventRow } from './event-row.js';
import { viewOf } from '../../connections/view.js';

/** Sessions named by clients. Hidden sessions sort below them (`hidden-sessions.ts` in the domain). */
const NAMED = `s.session_id >= chr(2)`;

/** Actors and sessions of a memory, read directly from the log tables. */
export class PgSessionDirectory implements SessionDirectory {
  constructor(
    private readonly tenants: TenantPool,
    private readonly counts: UsageCounts,
  ) {}

  async listActors(tenantId: string, memoryId: string, place: ListPlace): Promise<CountedPage<ActorView>> {
    const rows = await this.views<ActorView>(
      `select s.actor_id, count(*)::float8 as sessions, min(s.created_at) as created_at from sessions s
        where s.tenant_id = $1 and s.memory_id = $2 and ${NAMED} and ($3::text is null or s.actor_id > $3)
        group by s.actor_id order by s.actor_id limit $4 offset $5`,
      [tenantId, memoryId, place.after ?? null, place.limit, place.offset],
    );
    const total = place.after === undefined ? (await this.counts.ofMemory(tenantId, memoryId)).actors : null;
    return { rows, total };
  }

  async findActor(tenantId: string, memoryId: string, actorId: string): Promise<ActorDetails | null> {
    const [actor] = await this.views<ActorDetails>(
      `select s.actor_id, count(*)::float8 as sessions, min(s.created_at) as created_at, max(newest.recorded_at) as last_event_at
         from sessions s left join lateral (
           select e.recorded_at from events e
            where e.session_key = s.session_key and e.sequence is not null and ${READABLE}
            order by e.sequence desc limit 1
         ) newest on true
        where s.tenant_id = $1 and s.memory_id = $2 and s.actor_id = $3 and ${NAMED}
        group by s.actor_id`,
      [tenantId, memoryId, actorId],
    );
    return actor ?? null;
  }

  async listSessions(
    tenantId: string,
    memoryId: string,
    actorId: string,
    place: ListPlace,
  ): Promise<CountedPage<SessionView>> {
    const rows = await this.views<SessionView>(
      `select s.actor_id, s.session_id, s.created_at from sessions s
        where s.tenant_id = $1 and s.memory_id = $2 and s.actor_id = $3 and ${NAMED}
          and ($4::text is null or s.session_id > $4)
        order by s.session_id limit $5 offset $6`,
      [tenantId, memoryId, actorId, place.after ?? null, place.limit, place.offset],
    );
    const total = place.after === undefined ? await this.counts.sessionsOfActor(tenantId, memoryId, actorId) : null;
    return { rows, total };
  }

  async findSession(scope: SessionScope): Promise<SessionDetails | null> {
    const [session] = await this.views<Omit<SessionDetails, 'events'>>(
      `select s.actor_id, s.session_id, s.created_at,
          greatest(
            (select e.sequence from events e where e.session_key = s.session_key and e.sequence is not null
              order by e.sequence desc limit 1),
            (select t.sequence from tombstones t where t.session_key = s.session_key and t.sequence is not null
              order by t.sequence desc limit 1), 0)::float8 as newest_sequence,
          (select e.recorded_at from events e where e.session_key = s.session_key and e.sequence is not null
             and ${READABLE} order by e.sequence desc limit 1) as last_event_at
         from sessions s
        where s.tenant_id = $1 and s.memory_id = $2 and s.actor_id = $3 and s.session_id = $4 and ${NAMED}`,
      [scope.tenantId, scope.memoryId, scope.actorId, scope.sessionId],
    );
    if (session === undefined) return null;
    // Null if the session was closed after it was read.
    const { messages, binaries } = (await this.counts.ofSession(scope)) ?? { messages: 0, binaries: 0 };
    return { ...session, events: messages + binaries };
  }

  async findEvent(scope: SessionScope, eventId: string): Promise<LogEvent | null> {
    const [row] = await this.rows<EventRow>(
      heardIn(
        `select ${COLUMNS} from events e join sessions s using (session_key)
          where e.tenant_id = $1 and e.event_id = $5 and ${READABLE}
            and s.tenant_id = $1 and s.memory_id = $2 and s.actor_id = $3 and s.session_id = $4`,
        'p.position',
      ),
      [scope.tenantId, scope.memoryId, scope.actorId, scope.sessionId, eventId],
    );
    return row === undefined ? null : eventOf(row);
  }

  usage(tenantId: string, memoryId: string): Promise<LogUsage> {
    return this.counts.ofMemory(tenantId, memoryId);
  }

  private async views<V>(text: string, values: readonly [tenantId: string, ...rest: unknown[]]): Promise<V[]> {
    return (await this.rows(text, values)).map(viewOf<V>);
  }

  /** @param values first value: the tenant */
  private async rows<R extends pg.QueryResultRow>(
    text: string,
    values: readonly [tenantId: string, ...rest: unknown[]],
  ): Promise<R[]> {
    return (await this.tenants.query<R>(values[0], text, [...values])).rows;
  }
}
