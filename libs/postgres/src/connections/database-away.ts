/** SQLSTATE classes (two characters) and codes of temporary Postgres failures: a retry may succeed. */
const AWAY_CLASSES = new Set([
  '08', // connection exceptions
  '53', // insufficient resources: too many connections, disk full, out of memory
  '57', // operator intervention: shutting down, cannot connect now, statement timeout
  '28', // login rejected, for example during a restore or after a password change
  '58', // system errors: a file cannot be read or written
]);
const AWAY_CODES = new Set([
  '25006', // read-only: the server is a standby after a failover
  '25P02', // an earlier statement of the transaction failed and its error was lost
  '25P03', // idle-in-transaction timeout
  '25P04', // transaction timeout
  '3D000', // the database does not exist (yet)
  '40001', // serialization failure
  '40003', // the connection broke during the commit
  '40P01', // deadlock, after all retries
  '55P03', // lock timeout
]);
/** The server closes the connection at these severities: caused by the connection, never by a statement's data. */
const ENDS_CONNECTION = new Set<unknown>(['FATAL', 'PANIC']);

/** True if the server's error concerns the server or the connection, not the statement. */
export const isServerAway = ({ code, severity }: { readonly code?: unknown; readonly severity?: unknown }): boolean =>
  ENDS_CONNECTION.has(severity) ||
  (typeof code === 'string' &&
    /^[0-9A-Z]{5}$/.test(code) &&
    (AWAY_CODES.has(code) || AWAY_CLASSES.has(code.slice(0, 2))));

/** Socket errors of the operating system. */
const SOCKET_CODES = new Set([
  'EADDRNOTAVAIL', // no free port for another connection
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_NODATA',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'EMFILE', // no free file descriptor for another connection
  'ENETDOWN',
  'ENETRESET',
  'ENETUNREACH',
  'ENFILE',
  'ENOTCONN',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'ERR_SOCKET_CLOSED',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
]);
/** If one of these calls fails, the server was not reached. ENOENT is a Unix socket whose server is down. */
const REACHING_OUT = new Set(['connect', 'getaddrinfo']);
/** Message of the driver's pool if no connection got free in time. */
export const POOL_EXHAUSTED = 'timeout exceeded when trying to connect';
/** The driver and its pool have no codes for these errors. */
const DRIVER_MESSAGES = [
  POOL_EXHAUSTED,
  'timeout expired', // connection attempt timed out
  'Connection terminated', // also "… unexpectedly" and "… due to connection timeout"
  'Query read timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
  'Driver not Connected', // TypeORM, after its pools were closed
  'The server does not support SSL connections', // a proxy answers for a server that is down
  'There was an error establishing an SSL connection',
  'Received unexpected', // reply to an abandoned statement
];
/** TypeORM's errors for a connection that broke or was closed between two statements. */
const NOT_CONNECTED = new Set([
  'CannotExecuteNotConnectedError',
  'CannotGetEntityManagerNotConnectedError',
  'QueryRunnerAlreadyReleasedError',
  'QueryRunnerProviderAlreadyReleasedError',
]);
const DEEPEST_CAUSE = 5;

interface ErrorLike {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly severity?: unknown;
  readonly syscall?: unknown;
  readonly message?: unknown;
  readonly driverError?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
}

/**
 * True if the error is unrelated to the request: the database is down, starting, stopping or too slow, or all
 * connections are in use. A retry may succeed.
 */
export const isDatabaseAway = (error: unknown, depth = 0): boolean => {
  if (typeof error !== 'object' || error === null || depth > DEEPEST_CAUSE) return false;
  const { name, code, severity, syscall, message, driverError, cause, errors } = error as ErrorLike;
  if (isServerAway({ code, severity })) return true;
  if (typeof code === 'string' && SOCKET_CODES.has(code)) return true;
  if (typeof syscall === 'string' && REACHING_OUT.has(syscall)) return true;
  if (typeof name === 'string' && NOT_CONNECTED.has(name)) return true;
  if (typeof message === 'string' && DRIVER_MESSAGES.some((start) => message.startsWith(start))) return true;
  // A host with several addresses fails once per address.
  const inner = [driverError, cause, ...(Array.isArray(errors) ? (errors as unknown[]) : [])];
  return inner.some((each) => isDatabaseAway(each, depth + 1));
};
