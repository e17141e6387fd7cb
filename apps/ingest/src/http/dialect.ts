import type { FastifyReply } from 'fastify';
import type { Problem } from './problem.js';

/** How routes that imitate a vendor's API say no: in that vendor's envelope, and with its codes. */
export interface Dialect {
  /** The URLs that speak it begin with one of these, and none of ours do. */
  readonly prefixes: readonly string[];
  /** @param error what the problem was made from */
  readonly refuse: (reply: FastifyReply, problem: Problem, error: unknown) => void;
}

/** The dialect of a URL, or undefined for our own problem details. */
export const dialectOf = (dialects: readonly Dialect[], url: string): Dialect | undefined =>
  dialects.find(({ prefixes }) => prefixes.some((prefix) => url.startsWith(prefix)));
