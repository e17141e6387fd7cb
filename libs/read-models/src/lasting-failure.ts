import { QueryFailedError } from 'typeorm';

/** Classes of SQLSTATE that say something about the data of a statement: data, integrity, syntax, limits, raised. */
const LASTING = ['22', '23', '42', '54', 'P0'];
const SQLSTATE = /^[0-9A-Z]{5}$/;

/** The SQLSTATE of a statement that the server refused, through TypeORM or the driver; undefined for any other error. */
export const sqlStateOf = (error: unknown): string | undefined => {
  const refusal = error instanceof QueryFailedError ? (error.driverError as unknown) : error;
  const { code, syscall } = (refusal ?? {}) as { code?: unknown; syscall?: unknown };
  return syscall === undefined && typeof code === 'string' && SQLSTATE.test(code) ? code : undefined;
};

/** True of a failure that the same statement would meet again: not one of the network, the server, or its locks. */
export const isLastingFailure = (error: unknown): boolean => {
  const code = sqlStateOf(error);
  if (code !== undefined) return LASTING.some((kind) => code.startsWith(kind));
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
};

/** Statement timeout, and the end of a transaction that was idle for too long. */
const TOO_SLOW = new Set(['57014', '25P03']);
/** The driver's own, when the server does not answer at all. */
const READ_TIMEOUT = 'Query read timeout';

/** True of work that took too long: less of it at a time may succeed. */
export const isTooSlow = (error: unknown): boolean =>
  TOO_SLOW.has(sqlStateOf(error) ?? '') || (error instanceof Error && error.message === READ_TIMEOUT);
