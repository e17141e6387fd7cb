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
import { viewsOf, rowsFor, rowsOf } from '../../connections/database.js';
import { managerOf } from '../../connections/unit-of-work.js';
import { HAS_REPLAY, parkWindow, settleReplay } from './parked-windows.js';
import { renewLeases, type LeasedTable } from '../renew-leases.js';

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
    const [claim] = await viewsOf<ExtractionClaim>(
      this.dataSource,
      // A replay starts only if no other window is being retried, and finishes before another window starts.
      `with asked as (
         select p.from_sequence, p.to_sequence, p.answer_event_id, p.answer_unread
           from parked_windows p join extraction_states x using (session_key, strategy_id)
          where p.session_key = $1 and p.strategy_id = $2 and p.requested_at is not null and p.dropped_at is null
            and case when x.replay_through is null then x.attempts = 0 and x.last_code is null and not x.answer_unread
                     else p.to_sequence = x.replay_through end
          order by p.to_sequence limit 1
       ), window_of as (
         select asked.* from (select) as one left join asked on true
       )
       update extraction_states
          set fence = fence + 1, attempts = attempts + 1, lease_until = now() + make_interval(secs => $3),
              admitted_until = now() + make_interval(secs => $3), status = 'waiting',
              answer_event_id = case when to_sequence is not null and replay_through is null
                                     then window_of.answer_event_id else extraction_states.answer_event_id end,
              answer_unread = case when to_sequence is not null and replay_through is null
                                   then window_of.answer_unread else extraction_states.answer_unread end,
              replay_through = to_sequence
         from window_of
        where session_key = $1 and strategy_id = $2 and status in ('idle', 'waiting') and due_at <= now()
          and lease_until is null and ${IS_OPEN}
       returning session_key::float8, strategy_id, tenant_id, memory_id, actor_id, session_id,
                 coalesce(window_of.from_sequence - 1, watermark)::float8 as watermark,
                 coalesce(replay_through, newest_sequence)::float8 as newest_sequence,
                 replay_through::float8, attempts as attempt, last_code,
                 outage_tries + 1 as outage_try, fence::float8`,
      [sessionKey, strategyId, leaseSeconds],
    );
    return claim ?? null;
  }

  renew(claims: readonly ExtractionClaim[], leaseSeconds: number): Promise<readonly ExtractionClaim[]> {
    return renewLeases(this.dataSource, STATES, claims, leaseSeconds);
  }

  async settleLost(maxAttempts: number): Promise<readonly LostClaim[]> {
    const rows = await rowsOf<Omit<LostClaim, 'sessionKey'> & { sessionKey: string }>(
      this.dataSource,
      `with lost as (
         select ctid as place, status = 'waiting' as is_waiting from extraction_states
          where lease_until < now() order by lease_until limit $3 for update skip locked
       ), settled as (
         update extraction_states
            set lease_until = null, admitted_until = null,
                last_code = case when is_waiting then $2 else last_code end,
                updated_at = case when is_waiting then now() else updated_at end,
                status = case when is_waiting and attempts > $1 then 'parked' else status end,
                due_at = case
                  when not is_waiting then due_at
                  when attempts < $1 then
                    now() + make_interval(secs => least(power(2, attempts - 1) - 1, 300) * random())
                  when attempts = $1 then now()
                end
           from lost where ctid = place
         returning session_key, strategy_id, tenant_id, attempts, is_waiting
       )
       select session_key as "sessionKey", strategy_id as "strategyId", tenant_id as "tenantId", attempts,
              attempts >= $1 as parked
         from settled where is_waiting`,
      [maxAttempts, WORKER_LOST, SETTLED_AT_ONCE],
    );
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
    await rowsOf(
      this.dataSource,
      `update extraction_states
          set status = case when $4::float8 is null then 'parked' else 'waiting' end,
              due_at = case when $4::float8 is null then null else now() + make_interval(secs => $4::float8 / 1000) end,
              attempts = greatest(attempts - case when $7::boolean then 1 else 0 end, 0),
              outage_tries = case when $7::boolean then outage_tries + 1 else 0 end,
              answer_unread = answer_unread and $6,
              lease_until = null, admitted_until = null, last_code = $5, updated_at = now()
        where session_key = $1 and strategy_id = $2 and fence = $3`,
      [
        ...[claim.sessionKey, claim.strategyId, claim.fence],
        ...[failure.retryInMs, failure.code, failure.keepAnswer, failure.outage],
      ],
    );
  }

  async release(claim: ExtractionClaim): Promise<void> {
    await rowsOf(
      this.dataSource,
      `update extraction_states
          set attempts = greatest(attempts - 1, 0), lease_until = null, admitted_until = null
        where session_key = $1 and strategy_id = $2 and fence = $3 and lease_until is not null`,
      [claim.sessionKey, claim.strategyId, claim.fence],
    );
  }

  async takeBack(claim: ExtractionClaim, retryInMs: number): Promise<void> {
    await rowsOf(
      this.dataSource,
      `update extraction_states
          set attempts = attempts - 1, outage_tries = outage_tries + 1,
              due_at = case when lease_until is null then greatest(due_at, now() + make_interval(secs => $4::float8 / 1000))
                            else due_at end
        where session_key = $1 and strategy_id = $2 and fence >= $3 and status = 'waiting' and attempts > 0
          and watermark = $5`,
      [claim.sessionKey, claim.strategyId, claim.fence, retryInMs, claim.watermark],
    );
  }

  async waitForBudget(claim: ExtractionClaim): Promise<void> {
    await rowsOf(
      this.dataSource,
      `update extraction_states
          set due_at = (${TODAY} + 1)::timestamp at time zone 'utc', last_code = $4,
              attempts = greatest(attempts - 1, 0), lease_until = null, admitted_until = null, updated_at = now()
        where session_key = $1 and strategy_id = $2 and fence = $3`,
      [claim.sessionKey, claim.strategyId, claim.fence, BUDGET_SPENT],
    );
  }

  async keepAnswer(
    tx: Transaction,
    claim: ExtractionClaim,
    answer: { eventId: string; usage: TokenUsage | null; usable: boolean },
  ): Promise<void> {
    const manager = managerOf(tx);
    const { inputTokens, outputTokens } = answer.usage ?? { inputTokens: 0, outputTokens: 0 };
    const held = await rowsOf(
      manager,
      `update extraction_states
          set answer_event_id = $4, answer_unread = $5, model_calls = model_calls + 1,
              input_tokens = input_tokens + $6, output_tokens = output_tokens + $7
        where session_key = $1 and strategy_id = $2 and fence = $3
       returning session_key`,
      [claim.sessionKey, claim.strategyId, claim.fence, answer.eventId, answer.usable, inputTokens, outputTokens],
    );
    if (held.length === 0) throw new LeaseLost();
    await rowsOf(
      manager,
      `insert into model_usage as u (tenant_id, day, calls, input_tokens, output_tokens)
       values ($1, ${TODAY}, 1, $2, $3)
       on conflict (tenant_id, day) do update
         set calls = u.calls + 1, input_tokens = u.input_tokens + $2, output_tokens = u.output_tokens + $3`,
      [claim.tenantId, inputTokens, outputTokens],
    );
    await rowsOf(
      manager,
      `insert into strategy_model_usage as u
         (tenant_id, memory_id, strategy_id, day, calls, input_tokens, output_tokens)
       values ($1, $2, $3, ${TODAY}, 1, $4, $5)
       on conflict (memory_id, day, strategy_id) do update
         set calls = u.calls + 1, input_tokens = u.input_tokens + $4, output_tokens = u.output_tokens + $5
         where u.tenant_id = excluded.tenant_id`,
      [claim.tenantId, claim.memoryId, claim.strategyId, inputTokens, outputTokens],
    );
  }

  async unreadAnswer(claim: ExtractionClaim): Promise<{ eventId: string; data: ExtractionAnswered } | null> {
    const [row] = await rowsOf<{ event_id: string; data: ExtractionAnswered }>(
      this.dataSource,
      `select e.event_id, e.data
         from extraction_states x join events e on e.event_id = x.answer_event_id and e.tenant_id = x.tenant_id
        where x.session_key = $1 and x.strategy_id = $2 and x.answer_unread`,
      [claim.sessionKey, claim.strategyId],
    );
    // A redacted answer has no content left.
    return row === undefined || row.data.rawAnswer === '' ? null : { eventId: row.event_id, data: row.data };
  }

  async tokensToday(tenantId: string, memoryId: string): Promise<{ tenant: number; memory: number }> {
    const [row] = await rowsFor<{ tenant: number; memory: number }>(
      this.dataSource,
      tenantId,
      `select coalesce((select input_tokens + output_tokens from model_usage
                         where tenant_id = $1 and day = ${TODAY}), 0)::float8 as tenant,
              coalesce((select sum(input_tokens + output_tokens) from strategy_model_usage
                         where tenant_id = $1 and memory_id = $2 and day = ${TODAY}), 0)::float8 as memory`,
      [tenantId, memoryId],
    );
    return row ?? { tenant: 0, memory: 0 };
  }
}
