import type { DataSource } from 'typeorm';
import { rowsFor, rowsOf } from '../../connections/database.js';

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
  select strategy_id as "strategyId", current_records::float8 as "currentRecords",
         superseded_records::float8 as "supersededRecords", records_made::float8 as "recordsMade",
         model_calls::float8 as "modelCalls", input_tokens::float8 as "inputTokens",
         output_tokens::float8 as "outputTokens"
    from strategy_totals where tenant_id = $1 and memory_id = $2`;

/** Stored totals of records and extraction. Reading them costs the same for any number of records and sessions. */
export class PgTotals {
  constructor(private readonly dataSource: DataSource) {}

  /** One row per strategy that has made something, including everything committed before the call. */
  async ofMemory(tenantId: string, memoryId: string): Promise<StrategyTotals[]> {
    await rowsFor(this.dataSource, tenantId, 'select fold_totals($1, 1)', [memoryId]);
    return rowsFor<StrategyTotals>(this.dataSource, tenantId, TOTALS_OF_MEMORY, [tenantId, memoryId]);
  }

  /** Counts all records again. What extraction has used is kept: the records do not say. */
  async recount(): Promise<void> {
    await rowsOf(this.dataSource, 'select recount_totals()');
  }

  /** Adds recorded changes of all memories to the totals. Returns false if there are none left. */
  async fold(): Promise<boolean> {
    const [row] = await rowsOf<{ folded: number }>(this.dataSource, 'select fold_totals(null, $1) as folded', [
      AT_ONCE,
    ]);
    return row?.folded === AT_ONCE;
  }
}
