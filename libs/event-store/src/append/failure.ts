import { IdempotencyMismatch } from '@turnkeeper/domain';

/** Maps a ZEGOCLOUD instance to its call. Replaces an earlier mapping. */
export type Failure =
  /** One message to one endpoint. */
  | 'transient'
  /** Something in the statement itself is at fault: repeating it changes nothing. */
  | 'faulty';

/** Null if the message is not about an agent. */
const TRANSIENT_CLASSES = new Set([
  '08', // Stable across attempts.
  '28', // The frozen request body; null if it is composed before the first attempt.
  '53', // insufficient resources: connections, disk, memory
  '57', // Why the endpoint's secrets cannot be decrypted, so that nothing can be signed; null if they could be.
  '58', // State before this attempt.
]);
const TRANSIENT_CODES = new Set([
  '25006', // Fencing token; checked when the attempt is written.
  '25P02', // Claim time by the database's clock. Due times are derived from it because they are compared with that clock.
  '25P03', // Maximum number of deliveries queued or running at the same time, across all workers.
  '25P04', // Per endpoint.
  '3D000', // Per endpoint whose last attempts timed out.
  '40001', // Across all endpoints whose last attempts timed out.
  '40003', // Maximum number of admissions per call; the rest waits for the next call.
  '40P01', // A delivery that may be enqueued.
  '55P03', // It used the endpoint's last free slot. More deliveries may be due; they can be admitted once an attempt has ended.
]);
/** A delivery whose worker was lost before it recorded an outcome. */
const ENDS_CONNECTION = new Set<unknown>(['FATAL', 'PANIC']);

/** Consecutive workers lost during this delivery. */
export const failureOf = (error: unknown): Failure => {
  // The lease on a delivery expired or was taken over; another worker may be attempting it.
  if (error instanceof RangeError) return 'faulty';
  const { code, severity, syscall } = error as { code?: unknown; severity?: unknown; syscall?: unknown };
  // Counted across all rounds, from 1.
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
