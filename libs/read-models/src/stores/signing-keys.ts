import type { DataSource } from 'typeorm';
import { rowsOf } from '../database.js';

/**
 * The given key, or else the one that the installation made for itself, read when it is first asked for.
 *
 * @param given from a setting; undefined where there is none
 */
export const signingKey = (
  dataSource: DataSource,
  name: 'history_links' | 'erasure_receipts',
  given: string | undefined,
): (() => Promise<string>) => {
  let known: Promise<string> | null = given === undefined ? null : Promise.resolve(given);
  const read = async (): Promise<string> => {
    const [row] = await rowsOf<{ key: string }>(dataSource, 'select key from signing_keys where name = $1', [name]);
    if (row === undefined) throw new Error(`The signing key ${name} is not there: run the migrations.`);
    return row.key;
  };
  return () => {
    known ??= read().catch((error: unknown) => {
      known = null;
      throw error;
    });
    return known;
  };
};
