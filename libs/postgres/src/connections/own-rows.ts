import type { EntityManager } from 'typeorm';
import { ImportIdTaken } from '@turnkeeper/domain';
import { rowsOf } from './database.js';
import { sqlStateOf } from './lasting-failure.js';

/** insufficient_privilege: with row-level security, the conflicting row belongs to another tenant. */
const FOREIGN_ROW = '42501';

/**
 * Runs an upsert whose `do update` is limited to rows of the same tenant and memory and which returns the written rows.
 * Leaves a row of another tenant or memory unchanged and throws.
 *
 * @param expected number of rows to write
 * @param field name of the id field, for the error
 * @throws ImportIdTaken
 */
export const upsertOwn = async (
  manager: EntityManager,
  text: string,
  parameters: unknown[],
  { expected, field }: { readonly expected: number; readonly field: string },
): Promise<void> => {
  let written: unknown[];
  try {
    written = await rowsOf(manager, text, parameters);
  } catch (error) {
    throw sqlStateOf(error) === FOREIGN_ROW ? new ImportIdTaken(field) : error;
  }
  if (written.length < expected) throw new ImportIdTaken(field);
};
