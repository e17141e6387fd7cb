import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import pg from 'pg';

/** The same folder from `src` and from `dist`. */
const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));
/** Advisory lock of this library's migrations; processes that start together wait for each other. */
const LOCK = 7_241_865_001;

/**
 * Brings the log's tables up to date. Safe to run from many processes at once and again at every start; needs no
 * superuser, only the right to create in the schema; without the right to create roles, row-level security is left out. A database that is newer than this code is left as it is.
 *
 * @param databaseUrl a direct connection or a pooler in session mode: the lock belongs to the connection
 * @returns names of the migrations that ran, oldest first
 */
export const migrateLog = async (databaseUrl: string): Promise<string[]> => {
  // A client of our own: the runner does not wait for its own connection to close.
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const ran = await runner({
      dbClient: client,
      dir: MIGRATIONS,
      migrationsTable: 'log_migrations',
      direction: 'up',
      advisoryLockMode: 'wait',
      lockValue: LOCK,
      singleTransaction: true,
      logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    });
    await client.query('select secure_tables()');
    return ran.map((migration) => migration.name);
  } finally {
    await client.end();
  }
};

/** Failures are thrown as well. */
const ignore = (): void => undefined;
