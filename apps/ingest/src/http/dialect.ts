import type { FastifyReply } from 'fastify';
import type { Problem } from './problem.js';

/** How routes that imitate a vendor's API report errors: in the vendor's envelope and with its codes. */
export interface Dialect {
  /** URL prefixes of the dialect; none of our own routes uses them. */
  readonly prefixes: readonly string[];
  /** @param error the source of the problem */
  readonly refuse: (reply: FastifyReply, problem: Problem, error: unknown) => void;
}

/** The dialect of a URL; undefined for our own problem details. */
export const dialectOf = (dialects: readonly Dialect[], url: string): Dialect | undefined =>
  dialects.find(({ prefixes }) => prefixes.some((prefix) => url.startsWith(prefix)));
