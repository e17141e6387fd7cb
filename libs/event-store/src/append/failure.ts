import { IdempotencyMismatch } from '@turnkeeper/domain';

/** What a failed statement means for its requests. */
export type Failure =
  /** The database is away, busy or shutting down: the same statement may work in a moment. */
  | 'transient'
  /** Something in the statement itself is at fault: repeating it changes nothing. */
  | 'faulty';

/** Classes of SQLSTATE (their first two characters) about the server or the connection, and not about a statement. */
const TRANSIENT_CLASSES = new Set([
  '08', // connection exceptions
  '28', // the login is refused, as while a server is restored
  '53', // insufficient resources: connections, disk, memory
  '57', // operator intervention: shutting down, starting up, statement timeout
  '58', // system errors: a file that cannot be read or written
]);
const TRANSIENT_CODES = new Set([
  '25006', // read-only: a standby, after a failover
  '25P02', // an earlier statement of the transaction failed; what it said was lost
  '25P03', // idle in transaction for too long
  '25P04', // transaction timeout
  '3D000', // there is no such database (yet)
  '40001', // serialization failure
  '40003', // the connection broke at the commit
  '40P01', // deadlock
  '55P03', // lock timeout
]);
/** With these the server also ends the connection, whatever the code says: it is not about the statement. */
const ENDS_CONNECTION = new Set<unknown>(['FATAL', 'PANIC']);

/** Repeating is safe also when the first try may have been committed: its event ids are found then. */
export const failureOf = (error: unknown): Failure => {
  // Ours, before anything was sent: a text beyond what the engine can hold, say. Another try ends the same way.
  if (error instanceof RangeError) return 'faulty';
  const { code, severity, syscall } = error as { code?: unknown; severity?: unknown; syscall?: unknown };
  // The socket, not the server. EPIPE has the form of an SQLSTATE.
  if (syscall !== undefined || typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code)) return 'transient';
  if (ENDS_CONNECTION.has(severity)) return 'transient';
  return TRANSIENT_CODES.has(code) || TRANSIENT_CLASSES.has(code.slice(0, 2)) ? 'transient' : 'faulty';
};

/**
 * Event ids that were made for the request are not looked up beforehand. One of them that is stored already shows as a
 * broken unique key: the id stands for something else.
 */
export const refusalOf = (error: unknown): unknown => {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return code === '23505' && constraint === 'events_event_id_key' ? new IdempotencyMismatch() : error;
};
