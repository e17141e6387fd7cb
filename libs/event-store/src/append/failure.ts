import { IdempotencyMismatch } from '@turnkeeper/domain';

/** What a failed statement means for its requests. */
export type Failure =
  /** The database is away, busy or shutting down: the same statement may work in a moment. */
  | 'transient'
  /** Something in the statement itself is at fault: repeating it changes nothing. */
  | 'faulty';

const TRANSIENT_CODES = new Set([
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '53100', // disk_full
  '53200', // out_of_memory
  '53300', // too_many_connections
  '55P03', // lock_not_available
  '57014', // query_canceled: statement_timeout
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '25006', // read_only_sql_transaction: a standby, after a failover
]);

/** Repeating is safe also when the first try may have been committed: its event ids are found then. */
export const failureOf = (error: unknown): Failure => {
  // Ours, before anything was sent: a text beyond what the engine can hold, say. Another try ends the same way.
  if (error instanceof RangeError) return 'faulty';
  const code = (error as { code?: unknown }).code;
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code)) return 'transient'; // the socket, not the server
  return TRANSIENT_CODES.has(code) || code.startsWith('08') ? 'transient' : 'faulty';
};

/**
 * Only the first event id of a request is looked up beforehand, if any. Another one that is stored already shows as a broken
 * unique key: the id stands for something else.
 */
export const refusalOf = (error: unknown): unknown => {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return code === '23505' && constraint === 'events_event_id_key' ? new IdempotencyMismatch() : error;
};
