/** A table that is made from the log alone. */
export interface ProjectionTable {
  readonly name: string;
  readonly key: readonly string[];
  /** What is unique in place of the key's columns, where those may be too long for an index. */
  readonly uniqueBy?: readonly string[];
  /** The memory of a row `t`, as SQL. */
  readonly memoryOf: (schema: string) => string;
  /**
   * - `update`: other tables hang on its rows, which therefore stay
   * - `replace`: a row that differs goes before the right one comes, so that no two ever claim the same name or fact
   */
  readonly repair: 'update' | 'replace';
}

const ownColumn = (): string => 't.memory_id';

/** Every projection, in an order that keeps references whole. */
export const PROJECTION_TABLES: readonly ProjectionTable[] = [
  { name: 'memories', key: ['memory_id'], memoryOf: ownColumn, repair: 'update' },
  { name: 'strategies', key: ['strategy_id'], memoryOf: ownColumn, repair: 'update' },
  { name: 'agents', key: ['agent_id'], memoryOf: ownColumn, repair: 'replace' },
  { name: 'records', key: ['record_id'], memoryOf: ownColumn, repair: 'replace' },
  {
    name: 'record_sources',
    key: ['record_id', 'event_id', 'quote'],
    uniqueBy: ['record_id', 'event_id', 'md5(quote)'],
    memoryOf: (schema) => `(select r.memory_id from ${schema}.records r where r.record_id = t.record_id)`,
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
 * Tables that hold state which is not in the log. A rebuild leaves them alone.
 *
 * What was read of a session is in the log as well, in the ranges of `records.extracted`; tries, leases and due times of
 * `extraction_states` are not.
 */
export const STATE_TABLES: readonly string[] = [
  // How far work has got, and what is due.
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
  ],
  // Deliveries to others, and notices from others.
  ...['webhook_endpoints', 'webhook_deliveries', 'webhook_attempts'],
  ...['connectors', 'connector_instances', 'connector_notices', 'connector_stamps', 'connector_calls'],
  // Who may call, with what, and what it cost.
  ...['tenants', 'api_keys', 'signing_keys', 'vendor_apps', 'model_usage', 'rate_budgets'],
];
