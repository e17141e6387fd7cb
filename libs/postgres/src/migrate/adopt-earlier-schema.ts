import type pg from 'pg';

const BASELINE = '0790_baseline';
/** The last of the migrations that the baseline replaces, and the commit that has them. */
const LAST = { migration: '0790_add_output_schema', commit: '84b832d9' };

/** The database was last migrated by a version that the baseline does not continue. */
class OldSchema extends Error {
  override readonly name = 'OldSchema';
}

/**
 * Continues a database that has run the migrations before the baseline: they made the same tables and functions, so the
 * baseline is recorded as applied in their place. Functions that nothing calls are dropped. Release 0.2.0 no longer
 * does this (docs/operate/upgrade.md).
 *
 * @throws OldSchema if some of them are missing; nothing was changed
 */
export const adoptEarlierSchema = async (client: pg.Client): Promise<void> => {
  const newest = await newestBeforeBaseline(client);
  if (newest === undefined) return;
  if (newest !== LAST.migration) {
    throw new OldSchema(
      `The newest migration of this database is ${newest}. This version continues ${LAST.migration} and later ones only: run ` +
        `\`migrate\` of commit ${LAST.commit} first, then this one (docs/operate/upgrade.md). ` +
        'The database was not changed.',
    );
  }
  await client.query(`
    begin;
    delete from schema_migrations where name < '${LAST.migration}';
    update schema_migrations set name = '${BASELINE}' where name = '${LAST.migration}';
    drop function if exists find_records, hash_turns;
    commit`);
};

/** Undefined if the database is empty or has the baseline. */
const newestBeforeBaseline = async (client: pg.Client): Promise<string | undefined> => {
  const { rows } = await client.query<{ current: boolean; older: string | null }>(
    `select to_regclass('schema_migrations') is not null as current,
            'one of ' || to_regclass('log_migrations') as older`,
  );
  if (rows[0]?.current !== true) return rows[0]?.older ?? undefined;
  const { rows: migrations } = await client.query<{ newest: string | null }>(
    'select max(name) as newest from schema_migrations where name <= $1',
    [LAST.migration],
  );
  return migrations[0]?.newest ?? undefined;
};
