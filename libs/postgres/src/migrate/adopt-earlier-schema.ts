import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type pg from 'pg';

/**
 * Migrations tables of the two former parts of the schema, and the last migration of each. A later one, 0320 of the log,
 * changed functions only, which the baseline replaces.
 */
const PARTS = [
  { table: 'log_migrations', last: '0270_index_activity' },
  { table: 'read_model_migrations', last: '0300_keep_vendor_agents' },
] as const;

/** The database was last migrated by a version that the baseline does not continue. */
class OldSchema extends Error {
  override readonly name = 'OldSchema';
}

/**
 * Continues a database whose schema was migrated in two parts: the baseline is recorded as applied instead of run. It has
 * the same tables. Its functions replace the earlier ones, and functions and indexes that no statement uses are dropped.
 * The former migrations tables stay, so that `migrate` of the version before still has nothing to do.
 *
 * @param baseline path of the baseline
 * @throws OldSchema if one of the parts is not at its last migration; nothing was changed
 */
export const adoptEarlierSchema = async (client: pg.Client, baseline: string): Promise<void> => {
  const { rows } = await client.query<{ adopted: boolean; fresh: boolean }>(FIND_TABLES);
  if (rows[0]?.adopted !== false || rows[0].fresh) return;
  const versions: (string | null)[] = [];
  for (const part of PARTS) versions.push(await newestOf(client, part));
  if (PARTS.some(({ last }, index) => versions[index] !== last)) {
    throw new OldSchema(
      `This database is at ${PARTS.map(({ table }, n) => `${versions[n] ?? 'nothing'} of ${table}`).join(' and ')}. ` +
        `This version continues ${PARTS.map(({ table, last }) => `${last} of ${table}`).join(' and ')} only: ` +
        'run `migrate` of the last version with these migrations first, then this one (docs/operate/upgrade.md). ' +
        'The database was not changed.',
    );
  }
  const text = await readFile(baseline, 'utf8');
  await client.query(
    ['begin', CREATE_MIGRATIONS, DROP_UNUSED, 'set local check_function_bodies = off', ...functionsOf(text)].join(
      ';\n',
    ),
  );
  await client.query('insert into schema_migrations (name, run_on) values ($1, now())', [basename(baseline, '.sql')]);
  await client.query('commit');
};

const FIND_TABLES = `
  select to_regclass('schema_migrations') is not null as adopted,
         to_regclass('log_migrations') is null and to_regclass('read_model_migrations') is null as fresh`;

/** As the runner creates it. */
const CREATE_MIGRATIONS =
  'create table schema_migrations (id serial primary key, name varchar(255) not null, run_on timestamp not null)';

const DROP_UNUSED = `
  drop function if exists
    append_batch(uuid[], uuid[], text[], text[], bigint[], text[], integer[], boolean[], uuid[], integer[], integer[],
                 uuid[], text[], smallint[], boolean[], timestamptz[], text[], json),
    change_expiry(uuid, uuid, integer, bigint), close_memory(uuid, uuid), lock_log_head()`;

/** The newest migration up to the last one; null if there is none. */
const newestOf = async (client: pg.Client, { table, last }: (typeof PARTS)[number]): Promise<string | null> => {
  const { rows } = await client.query<{ known: boolean }>('select to_regclass($1) is not null as known', [table]);
  if (rows[0]?.known !== true) return null;
  const newest = await client.query<{ name: string }>(
    `select name from ${table} where name <= $1 order by name desc limit 1`,
    [last],
  );
  return newest.rows[0]?.name ?? null;
};

/** Ends a function with a quoted body or with an SQL body; no line within a function is one of these. */
const ENDS = new Set(['$$;', 'end $$;', 'end;']);

const functionsOf = (baseline: string): readonly string[] =>
  baseline
    .split(/^(?=create or replace function )/m)
    .slice(1)
    .map((text) => {
      const lines = text.split('\n');
      const end = lines.findIndex((line) => ENDS.has(line));
      return lines
        .slice(0, end + 1)
        .join('\n')
        .slice(0, -1);
    });
