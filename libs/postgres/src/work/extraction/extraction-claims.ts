import {
  BUDGET_SPENT,
  LeaseLost,
  WORKER_LOST,
  type ExtractionClaim,
  type ExtractionClaims,
  type ExtractionFailure,
  type ExtractionTiming,
  type LostClaim,
  type SettledWindow,
  type Transaction,
  type WindowFailure,
} from '@turnkeeper/application';
import type { ExtractionAnswered, TokenUsage } from '@turnkeeper/domain';
import type { DataSource, EntityManager } from 'typeorm';
import { rowsOf } from '../../connections/database.js';
import { managerOf } from '../../connections/unit-of-work.js';
import { HAS_REPLAY, parkWindow, settleReplay } from './parked-windows.js';
import { renewLeases, type LeasedTable } from '../renew-leases.js';
import { raw, sqlFor, sqlOf, sqlViewsOf } from '../../connections/sql.js';

/** Lost claims settled per statement. */
const SETTLED_AT_ONCE = 500;

/** The UTC day, by which budgets are counted. */
const TODAY = `(now() at time zone 'utc')::date`;

/** Deleted memories are not extracted. */
const IS_OPEN = `exists (select from memory_gates g where g.memory_id = extraction_states.memory_id and g.is_open)`;

const STATES: LeasedTable<ExtractionClaim> = {
  table: 'extraction_states',
  key: [
    ['session_key', 'bigint', ({ sessionKey }) => sessionKey],
    ['strategy_id', 'uuid', ({ strategyId }) => strategyId],
  ],
  until: ['lease_until', 'admitted_until'],
  condition: IS_OPEN,
};

export class PgExtractionClaims implements ExtractionClaims {
  constructor(private readonly dataSource: DataSource) {}

  async claim(sessionKey: number, strategyId: string, leaseSeconds: number): Promise<ExtractionClaim | null> {
    // A replay starts only if no other window is being retried, and finishes before another window starts.
    const [claim] = await sqlViewsOf<ExtractionClaim>(this.dataSource)`
      with asked as (
        select p.from_sequence, p.to_sequence, p.answer_event_id, p.answer_unread
          from parked_windows p join extraction_states x using (session_key, strategy_id)
         where p.session_key = ${sessionKey} and p.strategy_id = ${strategyId} and p.requested_at is not null
           and p.dropped_at is null
           and case when x.replay_through is null then x.attempts = 0 and x.last_code is null and not x.answer_unread
                    else p.to_sequence = x.replay_through end
         order by p.to_sequence limit 1
      ), window_of as (
        select asked.* from (select) as one left join asked on true
      )
      update extraction_states
         set fence = fence + 1, attempts = attempts + 1, lease_until = now() + make_interval(secs => ${leaseSeconds}),
             admitted_until = now() + make_interval(secs => ${leaseSeconds}), status = 'waiting',
             answer_event_id = case when to_sequence is not null and replay_through is null
                                    then window_of.answer_event_id else extraction_states.answer_event_id end,
             answer_unread = case when to_sequence is not null and replay_through is null
                                  then window_of.answer_unread else extraction_states.answer_unread end,
             replay_through = to_sequence
        from window_of
       where session_key = ${sessionKey} and strategy_id = ${strategyId} and status in ('idle', 'waiting')
         and due_at <= now()
         and lease_until is null and ${raw(IS_OPEN)}
      returning session_key::float8, strategy_id, tenant_id, memory_id, actor_id, session_id,
                coalesce(window_of.from_sequence - 1, watermark)::float8 as watermark,
                coalesce(replay_through, newest_sequence)::float8 as newest_sequence,
                replay_through::float8, attempts as attempt, last_code,
                outage_tries + 1 as outage_try, fence::float8`;
    return claim ?? null;
  }

  renew(claims: readonly ExtractionClaim[], leaseSeconds: number): Promise<readonly ExtractionClaim[]> {
    return renewLeases(this.dataSource, STATES, claims, leaseSeconds);
  }

  async settleLost(maxAttempts: number): Promise<readonly LostClaim[]> {
    const rows = await sqlOf<Omit<LostClaim, 'sessionKey'> & { sessionKey: string }>(this.dataSource)`
      with lost as (
        select ctid as place, status = 'waiting' as is_waiting from extraction_states
         where lease_until < now() order by lease_until limit ${SETTLED_AT_ONCE} for update skip locked
      ), settled as (
        update extraction_states
           set lease_until = null, admitted_until = null,
               last_code = case when is_waiting then ${WORKER_LOST} else last_code end,
               updated_at = case when is_waiting then now() else updated_at end,
               status = case when is_waiting and attempts > ${maxAttempts} then 'parked' else status end,
               due_at = case
                 when not is_waiting then due_at
                 when attempts < ${maxAttempts} then
                   now() + make_interval(secs => least(power(2, attempts - 1) - 1, 300) * random())
                 when attempts = ${maxAttempts} then now()
               end
          from lost where ctid = place
        returning session_key, strategy_id, tenant_id, attempts, is_waiting
      )
      select session_key as "sessionKey", strategy_id as "strategyId", tenant_id as "tenantId", attempts,
             attempts >= ${maxAttempts} as parked
        from settled where is_waiting`;
    return rows.map((row) => ({ ...row, sessionKey: Number(row.sessionKey) }));
  }

  async complete(
    tx: Transaction,
    claim: ExtractionClaim,
    done: SettledWindow,
    timing: ExtractionTiming,
  ): Promise<{ isDue: boolean }> {
    const manager = managerOf(tx);
    const held = await rowsOf(
      manager,
      `update extraction_states
          set watermark = greatest(watermark, $4),
              newest_sequence = greatest(newest_sequence, $4),
              pending_turns = case
                when replay_through is not null then pending_turns
                -- What was read beyond the dispatcher is not among the pending turns yet, and never will be.
                when $4 >= noted_sequence then 0
                else greatest(pending_turns - $5, 0)
              end,
              records_made = records_made + $6,
              skipped = case when $7::jsonb is null then skipped else (
                select jsonb_object_agg(reason, total) from (
                  select reason, sum(n::bigint) as total from (
                    select * from jsonb_each_text(skipped) union all select * from jsonb_each_text($7)
                  ) as counts(reason, n) group by reason
                ) as totals
              ) end,
              attempts = 0, outage_tries = 0, lease_until = null, admitted_until = null, last_code = null,
              answer_event_id = null, answer_unread = false, replay_through = null, updated_at = now()
        where session_key = $1 and strategy_id = $2 and fence = $3
       returning session_key`,
      [
        ...[claim.sessionKey, claim.strategyId, claim.fence, done.toSequence, done.userTurns, done.recordsMade],
        done.skipped === undefined ? null : JSON.stringify(done.skipped),
      ],
    );
    if (held.length === 0) throw new LeaseLost();
    if (claim.replayThrough !== null) await settleReplay(manager, claim, done.toSequence);
    return this.goOn(manager, claim, done.toSequence, timing);
  }

  async park(tx: Transaction, claim: ExtractionClaim, failure: WindowFailure, timing: ExtractionTiming): Promise<void> {
    const manager = managerOf(tx);
    if (!(await parkWindow(manager, claim, failure))) throw new LeaseLost();
    await this.goOn(manager, claim, failure.toSequence, timing);
  }

  /**
   * Sets the next due time of the session after a window was settled. All messages that were there at the claim were due
   * with its window, so the rest of a backlog is read at once, without another quiet period.
   */
  private async goOn(
    manager: EntityManager,
    claim: ExtractionClaim,
    readThrough: number,
    timing: ExtractionTiming,
  ): Promise<{ isDue: boolean }> {
    const isBacklog = claim.replayThrough === null && readThrough > claim.watermark;
    const [row] = await rowsOf<{ is_due: boolean }>(
      manager,
      `update extraction_states s
          set status = case when s.newest_sequence > s.watermark or ${HAS_REPLAY} then 'waiting' else 'idle' end,
              flush_through = greatest(s.flush_through, $5),
              due_at = case when ${HAS_REPLAY} then now()
                            else extraction_due(s.strategy_id, s.newest_sequence, s.watermark,
                                                greatest(s.flush_through, $5), s.pending_turns, $3, $4) end
        where s.session_key = $1 and s.strategy_id = $2
       returning coalesce(s.due_at <= now(), false) as is_due`,
      [
        ...[claim.sessionKey, claim.strategyId, timing.turnInterval, timing.quietSeconds],
        isBacklog ? claim.newestSequence : 0,
      ],
    );
    return { isDue: row?.is_due === true };
  }

  async fail(claim: ExtractionClaim, failure: ExtractionFailure): Promise<void> {
    await sqlOf(this.dataSource)`
      update extraction_states
         set status = case when ${failure.retryInMs}::float8 is null then 'parked' else 'waiting' end,
             due_at = case when ${failure.retryInMs}::float8 is null then null
               else now() + make_interval(secs => ${failure.retryInMs}::float8 / 1000) end,
             attempts = greatest(attempts - case when ${failure.outage}::boolean then 1 else 0 end, 0),
             outage_tries = case when ${failure.outage}::boolean then outage_tries + 1 else 0 end,
             answer_unread = answer_unread and ${failure.keepAnswer},
             lease_until = null, admitted_until = null, last_code = ${failure.code}, updated_at = now()
       where session_key = ${claim.sessionKey} and strategy_id = ${claim.strategyId} and fence = ${claim.fence}`;
  }

  async release(claim: ExtractionClaim): Promise<void> {
    await sqlOf(this.dataSource)`
      update extraction_states
         set attempts = greatest(attempts - 1, 0), lease_until = null, admitted_until = null
       where session_key = ${claim.sessionKey} and strategy_id = ${claim.strategyId} and fence = ${claim.fence}
         and lease_until is not null`;
  }

  async takeBack(claim: ExtractionClaim, retryInMs: number): Promise<void> {
    await sqlOf(this.dataSource)`
      update extraction_states
         set attempts = attempts - 1, outage_tries = outage_tries + 1,
             due_at = case when lease_until is null then greatest(due_at,
               now() + make_interval(secs => ${retryInMs}::float8 / 1000))
                           else due_at end
       where session_key = ${claim.sessionKey} and strategy_id = ${claim.strategyId} and fence >= ${claim.fence}
         and status = 'waiting' and attempts > 0
         and watermark = ${claim.watermark}`;
  }

  async waitForBudget(claim: ExtractionClaim): Promise<void> {
    await sqlOf(this.dataSource)`
      update extraction_states
         set due_at = (${raw(TODAY)} + 1)::timestamp at time zone 'utc', last_code = ${BUDGET_SPENT},
             attempts = greatest(attempts - 1, 0), lease_until = null, admitted_until = null, updated_at = now()
       where session_key = ${claim.sessionKey} and strategy_id = ${claim.strategyId} and fence = ${claim.fence}`;
  }

  async keepAnswer(
    tx: Transaction,
    claim: ExtractionClaim,
    answer: { eventId: string; usage: TokenUsage | null; usable: boolean },
  ): Promise<void> {
    const manager = managerOf(tx);
    const { inputTokens, outputTokens } = answer.usage ?? { inputTokens: 0, outputTokens: 0 };
    const held = await sqlOf(manager)`
      update extraction_states
         set answer_event_id = ${answer.eventId}, answer_unread = ${answer.usable}, model_calls = model_calls + 1,
             input_tokens = input_tokens + ${inputTokens}, output_tokens = output_tokens + ${outputTokens}
       where session_key = ${claim.sessionKey} and strategy_id = ${claim.strategyId} and fence = ${claim.fence}
      returning session_key`;
    if (held.length === 0) throw new LeaseLost();
    await sqlOf(manager)`
      insert into model_usage as u (tenant_id, day, calls, input_tokens, output_tokens)
      values (${claim.tenantId}, ${raw(TODAY)}, 1, ${inputTokens}, ${outputTokens})
      on conflict (tenant_id, day) do update
        set calls = u.calls + 1, input_tokens = u.input_tokens + ${inputTokens},
          output_tokens = u.output_tokens + ${outputTokens}`;
    await sqlOf(manager)`
      insert into strategy_model_usage as u
        (tenant_id, memory_id, strategy_id, day, calls, input_tokens, output_tokens)
      values (${claim.tenantId}, ${claim.memoryId}, ${claim.strategyId}, ${raw(TODAY)}, 1, ${inputTokens},
        ${outputTokens})
      on conflict (memory_id, day, strategy_id) do update
        set calls = u.calls + 1, input_tokens = u.input_tokens + ${inputTokens},
          output_tokens = u.output_tokens + ${outputTokens}
        where u.tenant_id = excluded.tenant_id`;
  }

  async unreadAnswer(claim: ExtractionClaim): Promise<{ eventId: string; data: ExtractionAnswered } | null> {
    const [row] = await sqlOf<{ event_id: string; data: ExtractionAnswered }>(this.dataSource)`
      select e.event_id, e.data
        from extraction_states x join events e on e.event_id = x.answer_event_id and e.tenant_id = x.tenant_id
       where x.session_key = ${claim.sessionKey} and x.strategy_id = ${claim.strategyId} and x.answer_unread`;
    // A redacted answer has no content left.
    return row === undefined || row.data.rawAnswer === '' ? null : { eventId: row.event_id, data: row.data };
  }

  async tokensToday(tenantId: string, memoryId: string): Promise<{ tenant: number; memory: number }> {
    const [row] = await sqlFor<{ tenant: number; memory: number }>(this.dataSource, tenantId)`
      select coalesce((select input_tokens + output_tokens from model_usage
                        where tenant_id = ${tenantId} and day = ${raw(TODAY)}), 0)::float8 as tenant,
             coalesce((select sum(input_tokens + output_tokens) from strategy_model_usage
                        where tenant_id = ${tenantId} and memory_id = ${memoryId} and day = ${raw(TODAY)}),
                          0)::float8 as memory`;
    return row ?? { tenant: 0, memory: 0 };
  }
}
