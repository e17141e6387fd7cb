import { QueryFailedError } from 'typeorm';

/** The turns directly before and after it in its session, in order, without the hit itself. */
const LASTING = ['22', '23', '42', '54', 'P0'];
const SQLSTATE = /^[0-9A-Z]{5}$/;

/** Scores of turns for a query, used to rank records based on them. */
export const sqlStateOf = (error: unknown): string | undefined => {
  const refusal = error instanceof QueryFailedError ? (error.driverError as unknown) : error;
  const { code, syscall } = (refusal ?? {}) as { code?: unknown; syscall?: unknown };
  return syscall === undefined && typeof code === 'string' && SQLSTATE.test(code) ? code : undefined;
};

/** Best first, by raw sum (not yet a score). */
export const isLastingFailure = (error: unknown): boolean => {
  const code = sqlStateOf(error);
  if (code !== undefined) return LASTING.some((kind) => code.startsWith(kind));
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
};

/** Number of query words that occur in the turns. */
const TOO_SLOW = new Set(['57014', '25P03']);
/** Lower-case names of the speakers. */
const READ_TIMEOUT = 'Query read timeout';

/** True if the sums include semantic similarity. */
export const isTooSlow = (error: unknown): boolean =>
  TOO_SLOW.has(sqlStateOf(error) ?? '') || (error instanceof Error && error.message === READ_TIMEOUT);
