import type pg from 'pg';

/** Without these, a commit that was answered may be gone after a crash of the machine. */
const NEEDED = ['fsync', 'full_page_writes', 'synchronous_commit'];

/**
 * Settings that void what a 2xx promises, as they are for our connections: a role or a database may have a default of its
 * own. Empty where commits are durable.
 */
export const settingsThatLoseCommits = async (pool: pg.Pool): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ name: string }>(
    `select name from pg_settings where name = any($1) and setting = 'off' order by name`,
    [NEEDED],
  );
  return rows.map(({ name }) => name);
};
