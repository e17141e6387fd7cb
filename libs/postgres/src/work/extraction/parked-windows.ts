import type {
  PageAfter,
  ExtractionClaim,
  ParkedKey,
  ParkedWindow,
  ParkedWindowPlace,
  ReplayWindowOptions,
  WindowFailure,
} from '@turnkeeper/application';
import type { DataSource, EntityManager } from 'typeorm';
import { rowsFor, rowsOf } from '../../connections/database.js';
import { sqlOf, sqlViewsFor } from '../../connections/sql.js';

/** SQL: whether a replay of a parked window is due for the state `s`. */
export const HAS_REPLAY = `exists (
  select from parked_windows p
   where p.session_key = s.session_key and p.strategy_id = s.strategy_id
     and p.requested_at is not null and p.dropped_at is null)`;

/** Parked windows of a session and strategy that are not dropped, as JSON, for the join of `x` and `st`. */
export const PARKED_RANGES = `coalesce((
  select jsonb_agg(jsonb_build_object('fromSequence', p.from_sequence, 'toSequence', p.to_sequence, 'code', p.code,
                                      'replaying', p.requested_at is not null) order by p.to_sequence)
    from parked_windows p
   where p.session_key = x.session_key and p.strategy_id = x.strategy_id and p.dropped_at is null), '[]')`;

/**
 * Parks the claim's window and releases the state. Returns false if the fence has moved on. Keeps the answer for a
 * replay where possible.
 */
export const parkWindow = async (
  rows: EntityManager,
  claim: ExtractionClaim,
  { toSequence, userTurns, code, cause, attempts, keepAnswer }: WindowFailure,
): Promise<boolean> => {
  const parked = await sqlOf(rows)`
    with old as (
      select answer_event_id, answer_unread and ${keepAnswer} as answer_unread from extraction_states
       where session_key = ${claim.sessionKey} and strategy_id = ${claim.strategyId}
    ), held as (
      update extraction_states
         set watermark = greatest(watermark, ${toSequence}), newest_sequence = greatest(newest_sequence,
           ${toSequence}),
             pending_turns = case
               when replay_through is not null then pending_turns
               when ${toSequence} >= noted_sequence then 0
               else greatest(pending_turns - ${userTurns}, 0)
             end,
             attempts = 0, outage_tries = 0, lease_until = null, admitted_until = null, last_code = null,
             answer_event_id = null, answer_unread = false, replay_through = null, updated_at = now()
       where session_key = ${claim.sessionKey} and strategy_id = ${claim.strategyId} and fence = ${claim.fence}
      returning session_key, strategy_id, tenant_id, memory_id, actor_id, session_id
    )
    insert into parked_windows
      (session_key, strategy_id, tenant_id, memory_id, actor_id, session_id, from_sequence, to_sequence, code, cause,
       attempts, answer_event_id, answer_unread)
    select held.*, ${claim.watermark + 1}, ${toSequence}, ${code}, ${cause}, ${attempts}, old.answer_event_id,
      old.answer_unread from held, old
    on conflict (session_key, strategy_id, to_sequence) do update
      set code = excluded.code, cause = excluded.cause, attempts = excluded.attempts, requested_at = null,
          answer_event_id = coalesce(excluded.answer_event_id, parked_windows.answer_event_id),
          answer_unread = excluded.answer_unread, parked_at = now()
    returning session_key`;
  return parked.length > 0;
};

/**
 * Records that a replay has read the window up to this sequence: all of it, or its beginning if less fits into one run
 * now.
 */
export const settleReplay = async (rows: EntityManager, claim: ExtractionClaim, toSequence: number): Promise<void> => {
  const key = [claim.sessionKey, claim.strategyId, claim.replayThrough];
  await rowsOf(
    rows,
    toSequence >= (claim.replayThrough ?? 0)
      ? `delete from parked_windows where session_key = $1 and strategy_id = $2 and to_sequence = $3`
      : `update parked_windows set from_sequence = $4, answer_event_id = null, answer_unread = false
          where session_key = $1 and strategy_id = $2 and to_sequence = $3`,
    toSequence >= (claim.replayThrough ?? 0) ? key : [...key, toSequence + 1],
  );
};

/** Oldest first. Includes sessions that are parked as a whole because their strategy is deleted or disabled. */
export const listParked = async (
  dataSource: DataSource,
  tenantId: string,
  memoryId: string,
  { limit, after }: PageAfter<ParkedWindowPlace>,
): Promise<readonly ParkedWindow[]> => {
  return sqlViewsFor<ParkedWindow>(dataSource, tenantId)`
    select x.strategy_id as "strategyId", x.actor_id as "actorId", x.session_id as "sessionId",
           x.from_sequence::float8 as "fromSequence", x.to_sequence::float8 as "toSequence",
           x.code, x.attempts, x.parked_at as "parkedAt",
           nullif(well_formed(e.data) ->> 'rawAnswer', '') as answer, well_formed(e.data) ->> 'model' as model
      from (
        select session_key, strategy_id, actor_id, session_id, tenant_id, from_sequence, to_sequence, code, attempts,
               parked_at, answer_event_id
          from parked_windows
         where tenant_id = ${tenantId} and memory_id = ${memoryId} and dropped_at is null and requested_at is null
        union all
        select session_key, strategy_id, actor_id, session_id, tenant_id, watermark + 1, newest_sequence, last_code,
               attempts + outage_tries, updated_at, answer_event_id
          from extraction_states where tenant_id = ${tenantId} and memory_id = ${memoryId} and status = 'parked'
      ) x left join events e on e.event_id = x.answer_event_id and e.tenant_id = x.tenant_id
     where ${after?.parkedAt ?? null}::timestamptz is null
        or (date_trunc('milliseconds', x.parked_at), x.strategy_id, x.actor_id, x.session_id, x.to_sequence)
           > (${after?.parkedAt ?? null}::timestamptz, ${after?.strategyId ?? null}::uuid,
             ${after?.actorId ?? null}::text, ${after?.sessionId ?? null}::text, ${after?.toSequence ?? null}::bigint)
     order by date_trunc('milliseconds', x.parked_at), x.strategy_id, x.actor_id, x.session_id, x.to_sequence
     limit ${limit}`;
};

/**
 * Makes parked windows due again. A window that is being retried is finished first. Resolves to their number.
 *
 * @param tenantId null: any tenant, for the operator
 * @param only SQL condition on the rows, with parameters from $2 on
 */
export const replayWindows = async (
  dataSource: DataSource,
  tenantId: string | null,
  only: { readonly windows: string; readonly states: string; readonly values: readonly unknown[] },
  { askAgain }: ReplayWindowOptions,
): Promise<number> => {
  const run = (text: string, values: unknown[]) =>
    tenantId === null
      ? rowsOf<{ replayed: number }>(dataSource, text, values)
      : rowsFor<{ replayed: number }>(dataSource, tenantId, text, values);
  const [row] = await run(
    `with windows as (
       update parked_windows p set requested_at = now(), answer_unread = answer_unread and not $1
        where p.requested_at is null and p.dropped_at is null and ${only.windows}
       returning p.session_key, p.strategy_id
     ), woken as (
       update extraction_states s set status = 'waiting', due_at = now()
        where s.status in ('idle', 'waiting') and s.last_code is null and s.lease_until is null
          and (s.session_key, s.strategy_id) in (select session_key, strategy_id from windows)
     ), states as (
       update extraction_states x
          set status = 'waiting', due_at = now(), attempts = 0, outage_tries = 0, last_code = null,
              answer_unread = answer_unread and not $1, updated_at = now()
        where x.status = 'parked' and ${only.states}
       returning 1
     )
     select ((select count(*) from windows) + (select count(*) from states))::int as replayed`,
    [askAgain, ...only.values],
  );
  return row?.replayed ?? 0;
};

/** Condition for a memory, or for one of its sessions and strategies. */
export const ofMemory = (tenantId: string, memoryId: string, key: ParkedKey | null) => {
  const ofRow = (row: string) =>
    `${row}.tenant_id = $2 and ${row}.memory_id = $3
       and ($4::uuid is null or (${row}.strategy_id = $4 and ${row}.actor_id = $5 and ${row}.session_id = $6))`;
  return {
    windows: ofRow('p'),
    states: ofRow('x'),
    values: [tenantId, memoryId, key?.strategyId ?? null, key?.actorId ?? null, key?.sessionId ?? null],
  };
};
