import type { ValueTransformer } from 'typeorm';

/** The driver returns bigint columns as text. Sequences and positions stay far below 2^53. */
export const bigintAsNumber: ValueTransformer = {
  to: (value: unknown) => value,
  from: (value: string | null) => (value === null ? null : Number(value)),
};
