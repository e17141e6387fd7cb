import {
  STRATEGY_DISABLED,
  type ExtractionSchedule,
  type ExtractionTiming,
  type ParkedKey,
  type ReplayWindowOptions,
  type SessionProgress,
  type SessionScope,
  type Transaction,
} from '@turnkeeper/application';
import type { DataSource } from 'typeorm';
import { viewsOf, rowsOf } from '../../connections/database.js';
import { managerOf } from '../../connections/unit-of-work.js';
import { ADMIT_EXTRACTIONS } from './admit-extractions.sql.js';
import { ofMemory, replayWindows } from './parked-windows.js';
import { sqlFor, sqlOf } from '../../connections/sql.js';

/** A session not claimed within this time after queueing is queued again: the queue may have been wiped. */
const QUEUED_SECONDS = 5;

/** Deferred sessions retried per run. */
const DEFERRED_AT_ONCE = 500;

export class PgExtractionSchedule implements ExtractionSchedule {
  constructor(private readonly dataSource: DataSource) {}

  async note(tx: Transaction, sessions: readonly SessionProgress[], timing: ExtractionTiming): Promise<boolean> {
    if (sessions.length === 0) return false;
    // Same lock order as an erasure, to avoid deadlocks.
    const ordered = sessions.toSorted((one, other) => one.sessionKey - other.sessionKey);
    const [row] = await rowsOf<{ due: boolean }>(managerOf(tx), `select note_progress($1, $2, $3, $4, $5, $6) as due`, [
      ordered.map(({ sessionKey }) => sessionKey),
      ordered.map(({ newestSequence }) => newestSequence),
      ordered.map(({ userTurns }) => userTurns),
      ordered.map(({ flushThrough }) => flushThrough ?? 0),
      timing.turnInterval,
      timing.quietSeconds,
    ]);
    return row?.due === true;
  }

  async noteDeferred(timing: ExtractionTiming): Promise<boolean> {
    // Most runs find nothing, and this check costs less than a call.
    const [row] = await sqlOf<{ due: boolean }>(this.dataSource)`
      select case when exists (select from deferred_progress) then note_deferred(${DEFERRED_AT_ONCE},
        ${timing.turnInterval}, ${timing.quietSeconds}) else false end as due`;
    return row?.due === true;
  }

  async request(scope: SessionScope, strategyId: string): Promise<boolean> {
    const rows = await sqlFor(this.dataSource, scope.tenantId)`
      insert into extraction_states as x
        (session_key, strategy_id, tenant_id, memory_id, actor_id, session_id,
         newest_sequence, flush_through, status, due_at)
      select se.session_key, st.strategy_id, st.tenant_id, st.memory_id, se.actor_id, se.session_id,
             newest.sequence, newest.sequence, 'waiting', now()
        -- Not while the session is being erased.
        from lock_sessions(${scope.tenantId}, ${scope.memoryId}, ${scope.actorId}, ${scope.sessionId}) as locked
        join sessions se on se.session_key = locked
        join strategies st on st.memory_id = se.memory_id
        join lateral (
          select e.sequence from events e
           where e.session_key = se.session_key and e.sequence is not null order by e.sequence desc limit 1
        ) newest on true
       where se.tenant_id = ${scope.tenantId} and se.memory_id = ${scope.memoryId} and se.actor_id = ${scope.actorId}
         and se.session_id = ${scope.sessionId}
         and st.strategy_id = ${strategyId}
      on conflict (session_key, strategy_id) do update
        set newest_sequence = greatest(x.newest_sequence, excluded.newest_sequence),
            flush_through = greatest(x.flush_through, excluded.flush_through),
            status = 'waiting', due_at = now(), attempts = 0, outage_tries = 0, updated_at = now()
      returning session_key`;
    // A request for the whole session includes its parked windows.
    if (rows.length > 0) await this.replayParked(scope.tenantId, scope.memoryId, { ...scope, strategyId });
    return rows.length > 0;
  }

  async hasten(scope: SessionScope, through: number): Promise<void> {
    await sqlFor(this.dataSource, scope.tenantId)`
      update extraction_states
         set flush_through = greatest(flush_through, ${through}),
             due_at = case when status = 'waiting' then least(due_at, now()) end
       where tenant_id = ${scope.tenantId} and memory_id = ${scope.memoryId} and actor_id = ${scope.actorId}
         and session_id = ${scope.sessionId}
         and status in ('idle', 'waiting') and last_code is null and watermark < ${through}
         and (flush_through < ${through} or due_at > now())`;
  }

  async countAsRead(tx: Transaction, tenantId: string, memoryId: string): Promise<void> {
    await sqlOf(managerOf(tx))`
      insert into extraction_states as x
        (session_key, strategy_id, tenant_id, memory_id, actor_id, session_id, watermark, newest_sequence)
      select se.session_key, st.strategy_id, se.tenant_id, se.memory_id, se.actor_id, se.session_id,
             newest.sequence, newest.sequence
        from sessions se
        join strategies st on st.memory_id = se.memory_id
        join lateral (
          select e.sequence from events e
           where e.session_key = se.session_key and e.sequence is not null order by e.sequence desc limit 1
        ) newest on true
       where se.tenant_id = ${tenantId} and se.memory_id = ${memoryId} and se.session_id >= chr(2)
      on conflict (session_key, strategy_id) do update
        set watermark = greatest(x.watermark, excluded.watermark),
            newest_sequence = greatest(x.newest_sequence, excluded.newest_sequence),
            pending_turns = 0, status = 'idle', due_at = null`;
  }

  async resume(tx: Transaction, tenantId: string, strategyId: string): Promise<void> {
    await sqlOf(managerOf(tx))`
      update extraction_states
         set status = 'waiting', due_at = now(), attempts = 0, outage_tries = 0, last_code = null, updated_at = now()
       where tenant_id = ${tenantId} and strategy_id = ${strategyId} and status = 'parked'
         and last_code = ${STRATEGY_DISABLED}`;
  }

  replayParked(
    tenantId: string,
    memoryId: string,
    key: ParkedKey | null,
    options: ReplayWindowOptions = { askAgain: false },
  ): Promise<number> {
    return replayWindows(this.dataSource, tenantId, ofMemory(tenantId, memoryId, key), options);
  }

  async admit(perTenant: number): Promise<readonly { sessionKey: number; strategyId: string }[]> {
    return viewsOf<{ sessionKey: number; strategyId: string }>(this.dataSource, ADMIT_EXTRACTIONS, [
      perTenant,
      QUEUED_SECONDS,
    ]);
  }
}
