import type { ErasureScope, LogErasure, Transaction } from '@turnkeeper/application';
import { MAX_CONTEXT_EVENTS, writeJson, type LogEvent } from '@turnkeeper/domain';
import type pg from 'pg';
import { pacer } from '../../connections/pacer.js';
import { DELIVERIES_LOCK } from '../../work/deliveries/deliveries-lock.js';
import { COLUMNS, eventOf, type EventRow } from '../read/event-row.js';

/** Events deleted per transaction: at most one second of work, so that others are not blocked for longer. */
const BATCH = 1_000;
/** Events per transaction whose expiry is updated. */
const EXPIRY_BATCH = 200;
/** Ids of erased messages whose append counts as new by now, because the message would have expired. */
const FORGET_ERASED_IDS = `
  with forgotten as (
    delete from erased_event_ids where ctid = any (array(select ctid from erased_event_ids where until < now() limit $1))
    returning 1
  )
  select count(*)::int as count from forgotten`;
/**
 * Waits until the deliveries that a dispatcher adds at this moment are committed: it may have read events before their
 * session or memory was closed. The deletion of these events deletes them too; a later dispatcher sees what is closed. No
 * dispatcher is held up if nothing is.
 */
const AWAIT_DELIVERIES = `select pg_advisory_xact_lock(${DELIVERIES_LOCK})
   where exists (select from closed_sessions where purged_at is null)
      or exists (select from memory_gates where closed_at is not null and purged_at is null)`;
/** Maximum rest after a batch. If it is aborted, the next batch rejects with the reason. */
const MAX_REST_MS = 500;

/**
 * One lock per actor of a memory. A lock on a session row does not work: the actor's own stream may have no row yet,
 * and two inserts may race to create it.
 */
const ACTOR_LOCK = `hashtextextended('actor of ' || $1::text || ' ' || actor_id, 0)`;

/** Erases through the database's own functions. The log tables reject all other deletes and updates. */
export class PgLogErasure implements LogErasure {
  constructor(private readonly pool: pg.Pool) {}

  async holdActors(tx: Transaction, memoryId: string, actorIds: readonly string[]): Promise<void> {
    if (actorIds.length === 0) return;
    await tx.query(
      `with locks as materialized (
         select distinct ${ACTOR_LOCK} as key from unnest($2::text[]) as actor_id order by key
       )
       select count(pg_advisory_xact_lock_shared(key)) from locks`,
      [memoryId, [...actorIds]],
    );
  }

  async lockSessions(tx: Transaction, scope: ErasureScope): Promise<number[]> {
    if (scope.sessionId === null) {
      await tx.query(`select pg_advisory_xact_lock(${ACTOR_LOCK}) from (select $2::text as actor_id) erased`, [
        scope.memoryId,
        scope.actorId,
      ]);
    }
    return keysOf(tx, `select key::float8 from lock_sessions($1, $2, $3, $4) as key`, valuesOf(scope));
  }

  closeSessions(tx: Transaction, scope: ErasureScope): Promise<number[]> {
    const why = scope.sessionId === null ? 'actor_erased' : 'session_erased';
    return keysOf(tx, `select key::float8 from close_sessions($1, $2, $3, $4, $5) as key`, [...valuesOf(scope), why]);
  }

  async eraseEvent(tx: Transaction, event: Pick<LogEvent, 'tenantId' | 'sessionKey' | 'eventId'>): Promise<void> {
    await tx.query('select erase_event($1, $2, $3)', [event.tenantId, event.sessionKey, event.eventId]);
  }

  async extractionsOf(
    tx: Transaction,
    session: { readonly tenantId: string; readonly sessionKey: number },
    sequences: { readonly from: number; readonly through: number },
  ): Promise<LogEvent<'records.extracted' | 'extraction.answered'>[]> {
    const rows = (await tx.query(
      `select ${COLUMNS} from events e join sessions s using (session_key)
        where e.session_key = $2 and e.sequence is null and e.tenant_id = $1 
          and e.type in ('records.extracted', 'extraction.answered')
          and (well_formed(e.data) ->> 'toSequence')::bigint >= $3
          -- A rolling summary carries what was said on into every later window.
          and ((well_formed(e.data) ->> 'fromSequence')::bigint <= $4::bigint + $5
            or well_formed(e.data) ->> 'rolling' is not null or well_formed(e.data) ->> 'knowsSummary' = 'true')
        order by e.position`,
      [session.tenantId, session.sessionKey, sequences.from, sequences.through, MAX_CONTEXT_EVENTS],
    )) as EventRow[];
    return rows.map(eventOf) as LogEvent<'records.extracted' | 'extraction.answered'>[];
  }

  async recordAccounts(
    tx: Transaction,
    place: {
      readonly tenantId: string;
      readonly memoryId: string;
      readonly actorIds: readonly string[];
      readonly actorIdsInSessions: readonly string[];
      readonly sessionKeys: readonly number[];
      readonly eventIds: readonly string[];
    },
  ): Promise<LogEvent<'records.inserted' | 'records.carried_over' | 'record.corrected'>[]> {
    const rows = (await tx.query(
      `with places as (
         select session_key from sessions
          where tenant_id = $1 and memory_id = $2
            and (actor_id = any($3) and session_id = '' or session_key = any($4) or actor_id = any($6))
       )
       select ${COLUMNS} from (
         select i.* from events i where i.memory_id = $2 and i.session_key is null
         union all
         -- By session, so that the index is used: with an "or" the whole log would be read.
         select i.* from places p join events i on i.session_key = p.session_key and i.sequence is null
         union all
         select i.* from events i
          where i.tenant_id = $1 and i.event_id = any($5::uuid[]) and i.session_key is not null
            and i.session_key not in (select session_key from places)
       ) e left join sessions s using (session_key)
        where e.tenant_id = $1 and e.memory_id = $2 and e.sequence is null
          and e.type in ('records.inserted', 'records.carried_over', 'record.corrected')
        order by e.position`,
      [
        place.tenantId,
        place.memoryId,
        [...place.actorIds],
        [...place.sessionKeys],
        [...place.eventIds],
        [...place.actorIdsInSessions],
      ],
    )) as EventRow[];
    return rows.map(eventOf) as LogEvent<'records.inserted' | 'records.carried_over' | 'record.corrected'>[];
  }

  async redact(tx: Transaction, event: Pick<LogEvent, 'tenantId' | 'eventId'>, data: LogEvent['data']): Promise<void> {
    await tx.query('select redact_event($1, $2, $3)', [event.tenantId, event.eventId, writeJson(data)]);
  }

  async purgeSessions(sessionKeys: readonly number[] | null, signal?: AbortSignal): Promise<number> {
    const keys = sessionKeys === null ? null : [...sessionKeys];
    await this.pool.query(AWAIT_DELIVERIES);
    return this.untilNoneIsLeft('select purge_sessions($1, $2) as count', [keys, BATCH], signal);
  }

  purgeExpired(signal?: AbortSignal): Promise<number> {
    return this.untilNoneIsLeft('select purge_expired($1) as count', [BATCH], signal);
  }

  async purgeDeletedMemories(signal?: AbortSignal): Promise<number> {
    await this.pool.query(AWAIT_DELIVERIES);
    for (let total = 0; ;) {
      signal?.throwIfAborted();
      const { rows } = await this.pool.query<{ count: number | null }>('select purge_deleted_memories($1) as count', [
        BATCH,
      ]);
      const count = rows[0]?.count ?? null;
      if (count === null) return total;
      total += count;
    }
  }

  async applyExpiry(memoryId: string | null, signal?: AbortSignal): Promise<void> {
    for (;;) {
      const rest = pacer({ mostMs: MAX_REST_MS, signal });
      signal?.throwIfAborted();
      const { rows } = await this.pool.query<{ more: boolean }>('select apply_expiry($1, $2) as more', [
        memoryId,
        EXPIRY_BATCH,
      ]);
      if (rows[0]?.more !== true) return;
      await rest();
    }
  }

  async mergeTombstones(days: number, signal?: AbortSignal): Promise<number> {
    const merged = await this.untilNoneIsLeft('select merge_tombstones($1, $2) as count', [days, BATCH], signal);
    await this.untilNoneIsLeft('select forget_closed_sessions($1, $2) as count', [days, BATCH], signal);
    await this.untilNoneIsLeft(FORGET_ERASED_IDS, [BATCH], signal);
    return merged;
  }

  private async untilNoneIsLeft(text: string, values: readonly unknown[], signal?: AbortSignal): Promise<number> {
    for (let total = 0; ;) {
      const rest = pacer({ mostMs: MAX_REST_MS, signal });
      signal?.throwIfAborted();
      const { rows } = await this.pool.query<{ count: number }>(text, [...values]);
      const count = rows[0]?.count ?? 0;
      total += count;
      if (count < BATCH) return total;
      await rest();
    }
  }
}

const valuesOf = ({ tenantId, memoryId, actorId, sessionId }: ErasureScope): unknown[] => [
  tenantId,
  memoryId,
  actorId,
  sessionId,
];

const keysOf = async (tx: Transaction, text: string, values: unknown[]): Promise<number[]> =>
  ((await tx.query(text, values)) as { key: number }[]).map(({ key }) => key);
