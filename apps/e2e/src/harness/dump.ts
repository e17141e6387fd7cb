import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);
const MAX_BYTES = 256 * 1_048_576;

/**
 * A logical backup as text. By `pg_dump`; where it is not installed, or older than the server, by `COPY` of every table,
 * which is what `pg_dump` writes as data.
 */
export const dumpOf = async (adminUrl: string): Promise<string> => {
  try {
    const { stdout } = await run('pg_dump', ['--dbname', adminUrl, '--inserts'], { maxBuffer: MAX_BYTES });
    return stdout;
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
    if (code !== 'ENOENT' && !stderr.includes('server version mismatch')) throw error;
  }
  return copyOfAll(adminUrl);
};

const copyOfAll = async (adminUrl: string): Promise<string> => {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
        where schemaname not in ('pg_catalog', 'information_schema')
       union all select 'pg_catalog.pg_largeobject' union all select 'pg_catalog.pg_description'`,
    );
    const parts: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ text: string }>(`select t::text as text from ${name} t`);
      parts.push(name, ...rows.map(({ text }) => text));
    }
    return parts.join('\n');
  } finally {
    await client.end();
  }
};
