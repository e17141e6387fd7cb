import { writeJson } from '@turnkeeper/domain';
import type { ValueTransformer } from 'typeorm';

/** The driver returns bigint columns as text. Sequences and positions stay far below 2^53. */
export const bigintAsNumber: ValueTransformer = {
  to: (value: unknown) => value,
  from: (value: string | null) => (value === null ? null : Number(value)),
};

/**
 * For JSON columns with values of clients. Declared as `text`: TypeORM writes other JSON itself, and would round integers
 * beyond 2^53. The driver parses what is read.
 */
export const exactJson: ValueTransformer = {
  to: (value: unknown) => (value === undefined ? undefined : writeJson(value)),
  from: (value: unknown) => value,
};
