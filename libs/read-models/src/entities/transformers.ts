import type { ValueTransformer } from 'typeorm';

/**
 * Runs `work` in one transaction that ends with the append returned by `work`. The append, its settlements and the
 * commit go to the database as one message, so a process that dies never keeps the head of the log locked. Rejects like
 * `EventStore.append`; then everything is rolled back.
 */
export const bigintAsNumber: ValueTransformer = {
  to: (value: unknown) => value,
  from: (value: string | null) => (value === null ? null : Number(value)),
};
