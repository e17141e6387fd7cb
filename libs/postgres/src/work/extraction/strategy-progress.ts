import { BUDGET_SPENT, type StrategyProgress } from '@turnkeeper/application';
import type { DataSource } from 'typeorm';
import { rowsFor } from '../../connections/database.js';
import { PgTotals } from '../../projections/usage/totals.js';

/** Reads sessions that are pending or parked, not the others. Exported for the test that compares plans. */
export const STRATEGY_PROGRESS = `
  select st.strategy_id as "strategyId", coalesce(waiting.sessions, 0)::float8 as "pendingSessions",
         coalesce(waiting.for_budget, 0)::float8 as "waitingForBudget",
         coalesce(parked.sessions, 0)::float8 as "parkedSessions"
    from strategies st
    left join (
      select x.strategy_id, count(*) as sessions, count(*) filter (where x.last_code = $3) as for_budget
        from extraction_states x
       where x.tenant_id = $1 and x.memory_id = $2 and x.status = 'waiting' group by x.strategy_id
    ) waiting using (strategy_id)
    left join (
      -- A union: a session with several parked windows counts once.
      select p.strategy_id, count(*) as sessions from (
        select x.strategy_id, x.session_key from extraction_states x
         where x.tenant_id = $1 and x.memory_id = $2 and x.status = 'parked'
        union
        select w.strategy_id, w.session_key from parked_windows w
         where w.tenant_id = $1 and w.memory_id = $2 and w.dropped_at is null and w.requested_at is null
      ) p group by p.strategy_id
    ) parked using (strategy_id)
   where st.tenant_id = $1 and st.memory_id = $2
   order by st.ordinal`;

/** Progress of each strategy of a memory, in the memory's order. */
export const readProgress = async (
  dataSource: DataSource,
  tenantId: string,
  memoryId: string,
): Promise<readonly StrategyProgress[]> => {
  const totals = await new PgTotals(dataSource).ofMemory(tenantId, memoryId);
  const rows = await rowsFor<
    Pick<StrategyProgress, 'strategyId' | 'pendingSessions' | 'waitingForBudget' | 'parkedSessions'>
  >(dataSource, tenantId, STRATEGY_PROGRESS, [tenantId, memoryId, BUDGET_SPENT]);
  return rows.map((row) => {
    const total = totals.find(({ strategyId }) => strategyId === row.strategyId);
    return {
      ...row,
      records: total?.recordsMade ?? 0,
      modelCalls: total?.modelCalls ?? 0,
      inputTokens: total?.inputTokens ?? 0,
      outputTokens: total?.outputTokens ?? 0,
    };
  });
};
