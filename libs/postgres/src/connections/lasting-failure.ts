import type { DomainError } from '@turnkeeper/domain';
import { QueryFailedError } from 'typeorm';

/** Does work that writes rows. If it violates this constraint, rejects with the refusal instead. */
export const refusing = async <T>(
  constraint: string,
  Refusal: new () => DomainError,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const violated =
      error instanceof QueryFailedError ? (error.driverError as { constraint?: string }).constraint : null;
    throw violated === constraint ? new Refusal() : error;
  }
};

/** SQLSTATE classes caused by the statement or its data: data, integrity, syntax, limits, raised. */
const LASTING = ['22', '23', '42', '54', 'P0'];
const SQLSTATE = /^[0-9A-Z]{5}$/;

/** SQLSTATE of a statement rejected by the server, through TypeORM or the driver. Undefined for any other error. */
export const sqlStateOf = (error: unknown): string | undefined => {
  const refusal = error instanceof QueryFailedError ? (error.driverError as unknown) : error;
  const { code, syscall } = (refusal ?? {}) as { code?: unknown; syscall?: unknown };
  return syscall === undefined && typeof code === 'string' && SQLSTATE.test(code) ? code : undefined;
};

/** True if retrying the same statement would fail again: not a network, server or lock failure. */
export const isLastingFailure = (error: unknown): boolean => {
  const code = sqlStateOf(error);
  if (code !== undefined) return LASTING.some((kind) => code.startsWith(kind));
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
};

/** Statement timeout and idle-in-transaction timeout. */
const TOO_SLOW = new Set(['57014', '25P03']);
/** Raised by the driver if the server does not answer at all. */
const READ_TIMEOUT = 'Query read timeout';

/** True if the work took too long. A smaller batch may succeed. */
export const isTooSlow = (error: unknown): boolean =>
  TOO_SLOW.has(sqlStateOf(error) ?? '') || (error instanceof Error && error.message === READ_TIMEOUT);
