import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const SCHEMA = readFileSync(new URL('../../schema.sql', import.meta.url), 'utf8');

interface Index {
  readonly name: string;
  readonly table: string;
  readonly columns: string;
  readonly isUnique: boolean;
}

/** Indexes of whole tables. A condition that the first column is not null leaves out nothing that a search finds. */
const indexes: Index[] = [
  ...SCHEMA.matchAll(
    /^CREATE (UNIQUE )?INDEX (\w+) ON public\.(\w+) USING btree \((.*?)\)(?: WHERE \((\w+) IS NOT NULL\))?;$/gm,
  ),
].flatMap(([, unique, name = '', table = '', columns = '', notNull]) =>
  notNull !== undefined && !columns.startsWith(notNull)
    ? []
    : [{ name, table, columns, isUnique: unique !== undefined }],
);
const keys: Index[] = [
  ...SCHEMA.matchAll(/^alter table (\w+) add constraint (\w+) (?:PRIMARY KEY|UNIQUE) \(([^)]*)\)/gm),
].map(([, table = '', name = '', columns = '']) => ({ name, table, columns, isUnique: true }));

it('no index is covered by another one of its table', () => {
  const all = [...indexes, ...keys];
  expect(all.length).toBeGreaterThan(80);
  const covered = all.filter(
    (one) =>
      !one.isUnique &&
      all.some(({ name, table, columns }) => {
        return name !== one.name && table === one.table && `${columns},`.startsWith(`${one.columns},`);
      }),
  );
  expect(covered.map(({ name }) => name)).toEqual([]);
});
