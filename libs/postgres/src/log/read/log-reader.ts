import type {
  EventOutline,
  LogPage,
  LogPageRead,
  LogReference,
  SessionPage,
  SessionRead,
  SessionScope,
} from '@turnkeeper/application';
import type { EventType, LogEvent } from '@turnkeeper/domain';
import type pg from 'pg';
import type { TenantPool } from '../../connections/tenant-pool.js';
import type { UsageCounts } from '../../projections/usage/usage-counts.js';
import { eventOf, heardIn, type EventRow } from './event-row.js';

type ReferenceRow = Pick<
  EventRow,
  'position' | 'sequence' | 'session_key' | 'event_id' | 'type' | 'tenant_id' | 'memory_id'
>;

type OutlineRow = Pick<EventRow, 'position' | 'session_key' | 'sequence' | 'type'> & { readonly is_user_turn: boolean };

/** Reads the log and its sessions. Never returns expired events, even if they are still stored. */
export class LogReader {
  /**
   * @param pool sees every tenant's rows
   * @param tenants sees only the rows of the requested tenant
   * @param counts stored counts, so that the events of a session need not be counted for its listing
   */
  constructor(
    private readonly pool: pg.Pool,
    readonly tenants: TenantPool,
    private readonly counts: UsageCounts,
  ) {}

  async readLog(after: number, limit: number, types?: readonly EventType[], through?: number): Promise<LogEvent[]> {
    const { rows } = await this.pool.query<EventRow>({
      name: 'read_log_through',
      text: 'select * from read_log($1, $2, $3, $4)',
      values: [after, limit, types === undefined ? null : [...types], through ?? null],
    });
    return rows.map(eventOf);
  }

  async readLogPage(after: number, { limit, maxBytes, types, through }: LogPageRead): Promise<LogPage> {
    const { rows } = await this.pool.query<EventRow & { readonly bytes: number }>({
      name: 'read_log_page',
      text: 'select * from read_log_page($1, $2, $3, $4, $5)',
      values: [after, limit, types === undefined ? null : [...types], through ?? null, maxBytes],
    });
    const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
    return { events: rows.map(eventOf), more: rows.length === limit || bytes >= maxBytes };
  }

  async readOutline(after: number, limit: number): Promise<EventOutline[]> {
    const { rows } = await this.pool.query<OutlineRow>({
      name: 'read_outline',
      text: 'select * from read_outline($1, $2)',
      values: [after, limit],
    });
    return rows.map((row) => ({
      position: row.position,
      sessionKey: row.session_key,
      sequence: row.sequence,
      type: row.type,
      isUserTurn: row.is_user_turn,
    }));
  }

  async readReferences(after: number, limit: number): Promise<LogReference[]> {
    const { rows } = await this.pool.query<ReferenceRow>({
      name: 'read_references_in_order',
      text: 'select * from read_references($1, $2)',
      values: [after, limit],
    });
    return rows.map((row) => ({
      position: row.position,
      eventId: row.event_id,
      type: row.type,
      sessionKey: row.session_key,
      sequence: row.sequence,
      tenantId: row.tenant_id,
      memoryId: row.memory_id,
    }));
  }

  async positionSince(ageMs: number): Promise<number> {
    const { rows } = await this.pool.query<{ position: number }>({
      name: 'position_since',
      text: `select position_since(make_interval(secs => $1))::float8 as position`,
      values: [ageMs / 1_000],
    });
    return rows[0]?.position ?? 1;
  }

  async headPosition(): Promise<number> {
    const { rows } = await this.pool.query<{ head: number }>({
      name: 'head_position',
      text: 'select head_position()::float8 as head',
    });
    return rows[0]?.head ?? 0;
  }

  async readSession(scope: SessionScope, read: SessionRead): Promise<LogEvent[]> {
    return [...(await this.readSessionPage(scope, { ...read, maxBytes: read.maxBytes ?? UNLIMITED })).events];
  }

  async readSessionPage(scope: SessionScope, read: SessionRead & { readonly maxBytes: number }): Promise<SessionPage> {
    const { rows } = await this.tenants.query<EventRow & { readonly bytes: number; readonly beyond: boolean }>(
      scope.tenantId,
      {
        ...(read.asAppended === true ? READ_AS_APPENDED : READ_AS_HEARD),
        values: [
          ...sessionOf(scope),
          read.after ?? null,
          read.before ?? null,
          typesOf(read),
          read.from ?? null,
          read.to ?? null,
          read.order === 'newest-first',
          read.offset ?? 0,
          read.limit,
          read.maxBytes,
        ],
      },
    );
    const found = rows.filter(({ beyond }) => !beyond);
    return {
      events: found.map(eventOf),
      bytes: found.reduce((sum, { bytes }) => sum + bytes, 0),
      more: found.length < rows.length,
    };
  }

  async countSession(scope: SessionScope, read: Pick<SessionRead, 'types' | 'from' | 'to'>): Promise<number> {
    if (read.from === undefined && read.to === undefined && read.types?.every(isCounted) === true) {
      const counted = await this.counts.ofSession(scope);
      if (counted !== null) {
        return [...new Set(read.types)].reduce((sum, type) => sum + counted[COUNTED[type as CountedType]], 0);
      }
    }
    const { rows } = await this.tenants.query<{ count: number }>(scope.tenantId, {
      name: 'count_session_events',
      text: 'select count_session_events($1, $2, $3, $4, $5, $6, $7) as count',
      values: [...sessionOf(scope), typesOf(read), read.from ?? null, read.to ?? null],
    });
    return rows[0]?.count ?? 0;
  }

  async sessionSequence(scope: SessionScope): Promise<number> {
    const { rows } = await this.tenants.query<{ newest: number }>(scope.tenantId, {
      name: 'session_sequence',
      text: `select greatest(
          (select e.sequence from events e where e.session_key = s.session_key and e.sequence is not null
           order by e.sequence desc limit 1),
          (select t.sequence from tombstones t where t.session_key = s.session_key and t.sequence is not null
           order by t.sequence desc limit 1), 0)::float8 as newest
        from sessions s where s.tenant_id = $1 and s.memory_id = $2 and s.actor_id = $3 and s.session_id = $4`,
      values: [scope.tenantId, scope.memoryId, scope.actorId, scope.sessionId],
    });
    return rows[0]?.newest ?? 0;
  }

  async erasedAmong(tenantId: string, eventIds: readonly string[]): Promise<ReadonlySet<string>> {
    const { rows } = await this.tenants.query<{ id: string }>(tenantId, {
      name: 'erased_among',
      text: `select i.id from unnest($2::uuid[]) as i (id)
        where exists (select from erased_event_ids x where x.tenant_id = $1 and x.event_id = i.id)
          -- Erased, and about to be deleted.
          or exists (select from events e join closed_sessions c on c.session_key = e.session_key
                      where e.tenant_id = $1 and e.event_id = i.id and c.reason in ('session_erased', 'actor_erased'))`,
      values: [tenantId, [...eventIds]],
    });
    return new Set(rows.map(({ id }) => id));
  }
}

const READ_PAGE =
  'select * from read_session_page($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) with ordinality as p';
const READ_AS_APPENDED = { name: 'read_session_page', text: READ_PAGE };
const READ_AS_HEARD = { name: 'read_session_as_heard', text: heardIn(READ_PAGE, 'p.ordinality') };

const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** Types that sessions have a stored count of. */
const COUNTED = { 'message.appended': 'messages', 'binary.appended': 'binaries' } as const;
type CountedType = keyof typeof COUNTED;
const isCounted = (type: EventType): boolean => type in COUNTED;

const sessionOf = ({ tenantId, memoryId, actorId, sessionId }: SessionScope) => [
  tenantId,
  memoryId,
  actorId,
  sessionId,
];
const typesOf = ({ types }: Pick<SessionRead, 'types'>) => (types === undefined ? null : [...types]);
