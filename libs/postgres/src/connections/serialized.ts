import type { EntityManager } from 'typeorm';

/** First keys of advisory locks, each a word of four letters. */
const LOCKS = {
  apps: 1_095_782_483,
  deletions: 1_380_206_924,
  endpoints: 1_213_157_195,
  keys: 1_262_836_051,
  memories: 1_296_387_407,
};

/** One transaction at a time creates what a limit counts: two concurrent ones would both see the last free place. */
export const serialize = async (manager: EntityManager, what: keyof typeof LOCKS, of: string): Promise<void> => {
  await manager.query('select pg_advisory_xact_lock($1, hashtext($2))', [LOCKS[what], of]);
};
