import type pg from 'pg';

/** Without these, a machine crash may lose an acknowledged commit. */
const NEEDED = ['fsync', 'full_page_writes', 'synchronous_commit'];

/**
 * Settings, as seen by our connections, that void the durability promised by a 2xx. A role or a database may set its
 * own defaults. Empty if commits are durable.
 */
export const settingsThatLoseCommits = async (pool: pg.Pool): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ name: string }>(
    `select name from pg_settings where name = any($1) and setting = 'off' order by name`,
    [NEEDED],
  );
  return rows.map(({ name }) => name);
};
