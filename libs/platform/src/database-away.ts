/** SQLSTATE classes (two characters) and codes with which Postgres says: not now, the same may work later. */
const AWAY_CLASSES = new Set([
  '08', // connection exceptions
  '53', // insufficient resources: too many connections, disk full, out of memory
  '57', // operator intervention: shutting down, cannot connect now, statement timeout
  '28', // the login is refused, as while a server is restored or its password changed
]);
const AWAY_CODES = new Set([
  '25006', // read-only: a standby, after a failover
  '25P03', // idle in transaction for too long
  '25P04', // transaction timeout
  '3D000', // there is no such database (yet)
  '40001', // serialization failure
  '40P01', // deadlock, after all tries
  '55P03', // lock timeout
]);
/** What the system says of a socket. */
const SOCKET_CODES = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);
/** The driver and its pool have no codes for these. */
const DRIVER_MESSAGES = [
  'timeout exceeded when trying to connect', // no connection of the pool became free
  'timeout expired', // no answer to a connection attempt
  'Connection terminated', // also "… unexpectedly" and "… due to connection timeout"
  'Query read timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
];
const NOT_CONNECTED = new Set(['CannotExecuteNotConnectedError', 'CannotGetEntityManagerNotConnectedError']);
const DEEPEST_CAUSE = 5;

interface ErrorLike {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly driverError?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
}

/**
 * True of an error that says nothing about the request: the database is away, starting, ending, too slow, or all
 * connections to it are in use. The same request may work in a moment.
 */
export const isDatabaseAway = (error: unknown, depth = 0): boolean => {
  if (typeof error !== 'object' || error === null || depth > DEEPEST_CAUSE) return false;
  const { name, code, message, driverError, cause, errors } = error as ErrorLike;
  if (typeof code === 'string') {
    if (SOCKET_CODES.has(code) || AWAY_CODES.has(code)) return true;
    if (/^[0-9A-Z]{5}$/.test(code) && AWAY_CLASSES.has(code.slice(0, 2))) return true;
  }
  if (typeof name === 'string' && NOT_CONNECTED.has(name)) return true;
  if (typeof message === 'string' && DRIVER_MESSAGES.some((start) => message.startsWith(start))) return true;
  // A host with several addresses fails once for each of them.
  const inner = [driverError, cause, ...(Array.isArray(errors) ? (errors as unknown[]) : [])];
  return inner.some((each) => isDatabaseAway(each, depth + 1));
};
