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

/**
 * Tables with state that is not in the log. A rebuild leaves them unchanged.
 *
 * The ranges read of a session are also in the log, in `records.extracted`. Attempts, leases and due times of
 * `extraction_states` are not.
 */
export const STATE_TABLES: readonly string[] = [
  // Progress and due work.
  ...[
    'dispatch_cursor',
    'deferred_progress',
    'extraction_states',
    'parked_windows',
    'agent_idle_watches',
    'parked_items',
    'parked_notes',
    'vendor_signatures',
    'audit_log',
    'relay_pages',
    'record_deletions',
    'record_deletion_items',
    'trace_contexts',
  ],
  // Counters: triggers change them with the rows they count, also with those that a rebuild replaces.
  ...['total_changes', 'strategy_totals'],
  // Samples of the processes' activity.
  'activity_samples',
  // State of agent graphs.
  ...['graph_threads', 'graph_checkpoints', 'graph_blobs', 'graph_writes', 'graph_items'],
  // Outgoing deliveries and incoming notices.
  ...['webhook_endpoints', 'webhook_deliveries', 'webhook_attempts'],
  'replaced_instances',
  ...['connectors', 'connector_instances', 'connector_notices', 'connector_stamps', 'connector_calls'],
  // Credentials and usage.
  ...[
    'tenants',
    'api_keys',
    'signing_keys',
    'model_usage',
    'strategy_model_usage',
    'rate_budgets',
    'idempotent_requests',
  ],
  // Projects at voice platforms.
  ...['vendor_apps', 'vendor_agents'],
];
