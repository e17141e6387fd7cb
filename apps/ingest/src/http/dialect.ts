import type { FastifyReply } from 'fastify';
import type { Problem } from './problem.filter.js';

/** How routes that imitate a vendor's API say no: in that vendor's envelope, and with its codes. */
export interface Dialect {
  /** The paths that speak it begin so, and none of ours do. */
  readonly prefix: string;
  readonly refuse: (reply: FastifyReply, problem: Problem) => void;
}

/** The dialect of a path, or undefined for our own problem details. */
export const dialectOf = (dialects: readonly Dialect[], url: string): Dialect | undefined =>
  dialects.find(({ prefix }) => url.startsWith(prefix));
