import type { DataSource } from 'typeorm';
import { rowsFor, rowsOf } from '../../connections/database.js';
import { sqlOf } from '../../connections/sql.js';

/** Memories whose changes one statement adds to the totals. */
const AT_ONCE = 1_000;

/** Totals of one strategy of a memory. */
export interface StrategyTotals {
  /** The nil UUID stands for records without a strategy. */
  readonly strategyId: string;
  readonly currentRecords: number;
  readonly supersededRecords: number;
  /** What extraction has made and used so far, including sessions that were deleted since. */
  readonly recordsMade: number;
  readonly modelCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Exported for the test that compares plans. */
export const TOTALS_OF_MEMORY = `
  select t.strategy_id as "strategyId", sum(t.current_records)::float8 as "currentRecords",
         sum(t.superseded_records)::float8 as "supersededRecords", sum(t.records_made)::float8 as "recordsMade",
         sum(t.model_calls)::float8 as "modelCalls", sum(t.input_tokens)::float8 as "inputTokens",
         sum(t.output_tokens)::float8 as "outputTokens"
    from (
      select strategy_id, current_records, superseded_records, records_made, model_calls, input_tokens, output_tokens
        from strategy_totals where tenant_id = $1 and memory_id = $2
      union all
      select coalesce(strategy_id, '00000000-0000-0000-0000-000000000000'), current_records, superseded_records,
             records_made, model_calls, input_tokens, output_tokens
        from total_changes where tenant_id = $1 and memory_id = $2
    ) t group by t.strategy_id`;

/**
 * Stored totals of records and extraction, and the recorded changes that were not added to them yet. Reading them costs
 * the same for any number of records and sessions, and takes no lock.
 */
export class PgTotals {
  constructor(private readonly dataSource: DataSource) {}

  /** One row per strategy that has made something, including everything committed before the call. */
  ofMemory(tenantId: string, memoryId: string): Promise<StrategyTotals[]> {
    return rowsFor<StrategyTotals>(this.dataSource, tenantId, TOTALS_OF_MEMORY, [tenantId, memoryId]);
  }

  /** Counts all records again. What extraction has used is kept: the records do not say. */
  async recount(): Promise<void> {
    await rowsOf(this.dataSource, 'select recount_totals()');
  }

  /**
   * Adds recorded changes of all memories to the totals. Returns false if there are none left, or those left are being
   * folded elsewhere or have locked rows.
   */
  async fold(): Promise<boolean> {
    const [row] = await sqlOf<{ folded: number }>(this.dataSource)`
      select fold_totals(null, ${AT_ONCE}) as folded`;
    return row?.folded === AT_ONCE;
  }
}
