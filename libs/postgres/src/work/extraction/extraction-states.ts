import type {
  PageAfter,
  ExtractionStates,
  ModelUsage,
  ParkedWindow,
  ParkedWindowPlace,
  SessionScope,
  SessionStrategyState,
  StrategyProgress,
} from '@turnkeeper/application';
import type { DataSource } from 'typeorm';
import { viewsFor } from '../../connections/database.js';
import { listParked, PARKED_RANGES } from './parked-windows.js';
import { readProgress } from './strategy-progress.js';
import { sqlViewsFor } from '../../connections/sql.js';

/**
 * Newest sequence of a session whose messages are all gone: nothing of it is left to be read. Its state may have been
 * deleted (`PgSpentStates`).
 */
const GONE_THROUGH = `(
  select t.sequence from sessions s join tombstones t using (session_key)
   where s.tenant_id = $1 and s.memory_id = $2 and s.actor_id = $3 and s.session_id = $4 and t.sequence is not null
     and not exists (select from events e where e.session_key = s.session_key and e.sequence is not null)
   order by t.sequence desc limit 1)`;

export class PgExtractionStates implements ExtractionStates {
  constructor(private readonly dataSource: DataSource) {}

  progress(tenantId: string, memoryId: string): Promise<readonly StrategyProgress[]> {
    return readProgress(this.dataSource, tenantId, memoryId);
  }

  modelUsage(tenantId: string, memoryId: string): Promise<readonly ModelUsage[]> {
    return sqlViewsFor<ModelUsage>(this.dataSource, tenantId)`
      select day::text, strategy_id as "strategyId", calls::float8, input_tokens::float8 as "inputTokens",
             output_tokens::float8 as "outputTokens"
        from strategy_model_usage
       where tenant_id = ${tenantId} and memory_id = ${memoryId} and day > (now() at time zone 'UTC')::date - 31
       order by day desc, strategy_id`;
  }

  async sessionStates(scope: SessionScope): Promise<readonly SessionStrategyState[]> {
    return viewsFor<SessionStrategyState>(
      this.dataSource,
      scope.tenantId,
      `select st.strategy_id as "strategyId", st.automatic and st.status = 'ACTIVE' as "runsByItself",
              coalesce(x.status, 'idle') as status, coalesce(x.lease_until > now(), false) as held,
              coalesce(x.watermark, ${GONE_THROUGH}, 0)::float8 as watermark, coalesce(x.records_made, 0)::float8 as records,
              x.last_code as code, x.due_at as "dueAt", ${PARKED_RANGES} as parked,
              coalesce(x.skipped, '{}') as skipped
         from strategies st
         left join extraction_states x
           on x.strategy_id = st.strategy_id and x.actor_id = $3 and x.session_id = $4 and x.memory_id = $2
        where st.tenant_id = $1 and st.memory_id = $2
        order by st.ordinal`,
      [scope.tenantId, scope.memoryId, scope.actorId, scope.sessionId],
    );
  }

  parked(tenantId: string, memoryId: string, page: PageAfter<ParkedWindowPlace>): Promise<readonly ParkedWindow[]> {
    return listParked(this.dataSource, tenantId, memoryId, page);
  }
}
