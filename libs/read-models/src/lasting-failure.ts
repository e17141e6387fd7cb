import { QueryFailedError } from 'typeorm';

/** Classes of SQLSTATE that say something about the data of a statement: data, integrity, syntax, limits, raised. */
const LASTING = ['22', '23', '42', '54', 'P0'];

/** True of a failure that the same statement would meet again: not one of the network, the server, or its locks. */
export const isLastingFailure = (error: unknown): boolean => {
  if (error instanceof QueryFailedError) {
    const { code } = error.driverError as { code?: string };
    return code !== undefined && LASTING.some((kind) => code.startsWith(kind));
  }
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
};
