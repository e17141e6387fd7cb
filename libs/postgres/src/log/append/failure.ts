import { IdempotencyMismatch } from '@turnkeeper/domain';
import { isServerAway } from '../../connections/database-away.js';

/** What a failed statement means for its requests. */
export type Failure =
  /** The database is unreachable, busy or shutting down. A retry may succeed. */
  | 'transient'
  /** The statement itself is invalid. A retry fails in the same way. */
  | 'faulty';

/** Retrying is safe even if the first attempt was committed: the retry finds its event ids. */
export const failureOf = (error: unknown): Failure => {
  // Thrown locally before anything was sent, for example for a string above the engine's limit. A retry fails too.
  if (error instanceof RangeError) return 'faulty';
  const { code, severity, syscall } = error as { code?: unknown; severity?: unknown; syscall?: unknown };
  // A socket error, not a server error. EPIPE has the same format as an SQLSTATE.
  if (syscall !== undefined || typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code)) return 'transient';
  return isServerAway({ code, severity }) ? 'transient' : 'faulty';
};

/**
 * Server-generated event ids are not looked up beforehand. If one is already stored, the insert violates the unique
 * key: the id belongs to a different event.
 */
export const refusalOf = (error: unknown): unknown => {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return code === '23505' && constraint === 'events_event_id_key' ? new IdempotencyMismatch() : error;
};
