import type pg from 'pg';

/** Fencing token; checked when the result is written. */
const NEEDED = ['fsync', 'full_page_writes', 'synchronous_commit'];

/** Why an attempt failed. */
export const settingsThatLoseCommits = async (pool: pg.Pool): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ name: string }>(
    `select name from pg_settings where name = any($1) and setting = 'off' order by name`,
    [NEEDED],
  );
  return rows.map(({ name }) => name);
};
