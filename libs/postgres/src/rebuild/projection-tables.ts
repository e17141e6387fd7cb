/** A table derived from the log only. */
export interface ProjectionTable {
  readonly name: string;
  readonly key: readonly string[];
  /** Unique expressions, for keys whose columns may be too long for an index. */
  readonly uniqueBy?: readonly string[];
  /** SQL for the memory id of a row `t`. */
  readonly memoryOf: (schema: string) => string;
  /**
   * - `update`: rows are kept, because other tables reference them
   * - `replace`: a differing row is deleted before the correct one is inserted, so that no two rows ever claim the same
   *   name or fact
   */
  readonly repair: 'update' | 'replace';
}

const ownColumn = (): string => 't.memory_id';

/** All projections, ordered by their references. */
export const PROJECTION_TABLES: readonly ProjectionTable[] = [
  { name: 'memories', key: ['memory_id'], memoryOf: ownColumn, repair: 'update' },
  { name: 'strategies', key: ['strategy_id'], memoryOf: ownColumn, repair: 'update' },
  { name: 'agents', key: ['agent_id'], memoryOf: ownColumn, repair: 'replace' },
  { name: 'records', key: ['record_id', 'tenant_id'], memoryOf: ownColumn, repair: 'replace' },
  {
    name: 'record_sources',
    key: ['record_id', 'event_id', 'quote', 'tenant_id'],
    uniqueBy: ['record_id', 'event_id', 'md5(quote)', 'tenant_id'],
    memoryOf: (schema) =>
      `(select r.memory_id from ${schema}.records r where r.record_id = t.record_id and r.tenant_id = t.tenant_id)`,
    repair: 'replace',
  },
  {
    name: 'rolling_sessions',
    key: ['memory_id', 'actor_id', 'session_id'],
    memoryOf: ownColumn,
    repair: 'replace',
  },
];
