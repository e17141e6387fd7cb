import { IdempotencyMismatch } from '@turnkeeper/domain';

/** What a failed statement means for its requests. */
export type Failure =
  /** The database is unreachable, busy or shutting down. A retry may succeed. */
  | 'transient'
  /** The statement itself is invalid. A retry fails in the same way. */
  | 'faulty';

/** SQLSTATE classes (first two characters) that concern the server or the connection, not the statement. */
const TRANSIENT_CLASSES = new Set([
  '08', // connection exceptions
  '28', // login rejected, for example during a restore
  '53', // insufficient resources: connections, disk, memory
  '57', // operator intervention: shutting down, starting up, statement timeout
  '58', // system errors: a file cannot be read or written
]);
const TRANSIENT_CODES = new Set([
  '25006', // read-only: the server is a standby after a failover
  '25P02', // an earlier statement of the transaction failed and its error was lost
  '25P03', // idle-in-transaction timeout
  '25P04', // transaction timeout
  '3D000', // the database does not exist (yet)
  '40001', // serialization failure
  '40003', // the connection broke during the commit
  '40P01', // deadlock
  '55P03', // lock timeout
]);
/** The server closes the connection at these severities, whatever the code: not caused by the statement. */
const ENDS_CONNECTION = new Set<unknown>(['FATAL', 'PANIC']);

/** Retrying is safe even if the first attempt was committed: the retry finds its event ids. */
export const failureOf = (error: unknown): Failure => {
  // Thrown locally before anything was sent, for example for a string above the engine's limit. A retry fails too.
  if (error instanceof RangeError) return 'faulty';
  const { code, severity, syscall } = error as { code?: unknown; severity?: unknown; syscall?: unknown };
  // A socket error, not a server error. EPIPE has the same format as an SQLSTATE.
  if (syscall !== undefined || typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code)) return 'transient';
  if (ENDS_CONNECTION.has(severity)) return 'transient';
  return TRANSIENT_CODES.has(code) || TRANSIENT_CLASSES.has(code.slice(0, 2)) ? 'transient' : 'faulty';
};

/**
 * Server-generated event ids are not looked up beforehand. If one is already stored, the insert violates the unique
 * key: the id belongs to a different event.
 */
export const refusalOf = (error: unknown): unknown => {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return code === '23505' && constraint === 'events_event_id_key' ? new IdempotencyMismatch() : error;
};
