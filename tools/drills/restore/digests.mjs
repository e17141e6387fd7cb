import pg from 'pg';

/**
 * Every table's number of rows and a digest of their contents that is independent of their order. Unlogged tables are
 * left out: they are not in the WAL, and empty after a restore.
 *
 * @param {string} url of a login that sees everything
 * @returns {Promise<Record<string, string>>} by table
 */
export const digestsOf = async (url) => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const { rows: tables } = await client.query(
      "select quote_ident(relname) as name from pg_class where relkind in ('r', 'p') and relpersistence = 'p' and relnamespace = 'public'::regnamespace order by 1",
    );
    const digests = {};
    for (const { name } of tables) {
      const { rows } = await client.query(
        `select count(*) || ' rows ' || coalesce(sum(hashtextextended(each::text, 0)::numeric), 0) as digest from public.${name} each`,
      );
      digests[name] = rows[0].digest;
    }
    return digests;
  } finally {
    await client.end();
  }
};

/** Names of the tables that differ. */
export const differences = (one, other) =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((name) => one[name] !== other[name]);
