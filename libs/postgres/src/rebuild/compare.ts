import type { TableDigest, TableDrift, Transaction } from '@turnkeeper/application';
import { rowsOf } from '../connections/database.js';
import { managerOf } from '../connections/unit-of-work.js';
import { PROJECTION_TABLES, type ProjectionTable } from './projection-tables.js';

/** A projection table with the compared columns: all columns except generated ones. */
export interface ComparedTable extends ProjectionTable {
  readonly columns: readonly string[];
}

/** @param schema already quoted if needed, here and below */
export const comparedTables = async (tx: Transaction, schema: string): Promise<ComparedTable[]> => {
  const tables: ComparedTable[] = [];
  for (const table of PROJECTION_TABLES) {
    const rows = await rowsOf<{ name: string }>(
      managerOf(tx),
      `select quote_ident(attname) as name from pg_attribute
        where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
      [`${schema}.${table.name}`],
    );
    tables.push({ ...table, columns: rows.map(({ name }) => name) });
  }
  return tables;
};

/** Contents of a row as one text. */
export const rowText = ({ columns }: ComparedTable, alias: string): string =>
  `row(${columns.map((column) => `${alias}.${column}`).join(', ')})::text`;

/** Excludes rows of deleted memories: they only wait for the purge. */
export const isKept = ({ memoryOf }: ProjectionTable, schema: string): string =>
  `not exists (select from ${schema}.memories m where m.memory_id = ${memoryOf(schema)} and m.status = 'DELETED')`;

/**
 * Makes row texts independent of session settings. With `row_security` off, a query that a policy would filter fails,
 * instead of hashing only part of the rows.
 */
const NEUTRAL_SETTINGS = [
  `set local timezone = 'UTC'`,
  `set local datestyle = 'ISO'`,
  `set local extra_float_digits = 1`,
  `set local row_security = off`,
];

/**
 * Hash of each projection table, independent of row order: the MD5 of the sorted MD5s of its rows. Covers all columns
 * except generated ones, and excludes rows of deleted memories.
 *
 * @param tables default: those of the schema
 */
export const hashProjections = async (
  tx: Transaction,
  schema: string,
  tables?: readonly ComparedTable[],
): Promise<TableDigest[]> => {
  const manager = managerOf(tx);
  for (const setting of NEUTRAL_SETTINGS) await rowsOf(manager, setting);
  const digests: TableDigest[] = [];
  for (const table of tables ?? (await comparedTables(tx, schema))) {
    const [row] = await rowsOf<{ rows: string; hash: string }>(
      manager,
      `select count(*) as rows, md5(coalesce(string_agg(h, '' order by h collate "C"), '')) as hash
         from (select md5(${rowText(table, 't')}) as h from ${schema}.${table.name} t where ${isKept(table, schema)}) hashed`,
    );
    digests.push({ table: table.name, rows: Number(row?.rows), hash: row?.hash ?? '' });
  }
  return digests;
};

/** Differences between a table and its shadow. */
export const driftOf = async (
  tx: Transaction,
  table: ComparedTable,
  { live, shadow }: { readonly live: string; readonly shadow: string },
): Promise<TableDrift> => {
  const key = table.key.join(', ');
  const [first] = table.key;
  const rows = (schema: string, kept: string) =>
    `(select ${key}, ${rowText(table, 't')} as body from ${schema}.${table.name} t where ${kept})`;
  const [row] = await rowsOf<{ missing: string; surplus: string; changed: string }>(
    managerOf(tx),
    `select count(*) filter (where l.${first} is null) as missing,
            count(*) filter (where s.${first} is null) as surplus,
            count(*) filter (where l.body <> s.body) as changed
       from ${rows(live, isKept(table, live))} l full join ${rows(shadow, 'true')} s using (${key})`,
  );
  return {
    table: table.name,
    missing: Number(row?.missing),
    surplus: Number(row?.surplus),
    changed: Number(row?.changed),
  };
};
