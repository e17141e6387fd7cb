import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import pg from 'pg';

/** Resolves to the same directory from `src` and from `dist`. */
const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));
/** The projections reference the log's sessions, so the log comes first. */
const PARTS = [
  { dir: `${MIGRATIONS}/log`, migrationsTable: 'log_migrations' },
  { dir: `${MIGRATIONS}/read-models`, migrationsTable: 'read_model_migrations' },
];
/** Advisory lock of the migrations. Processes that start concurrently wait for each other. */
const LOCK = 7_241_865_001;

/**
 * Migrates the database to the newest version. Idempotent, and safe to run from many processes at once: one migrates,
 * the others wait. Needs no superuser, only the right to create in the schema. Without the right to create roles,
 * row-level security is skipped. A database newer than this code is left unchanged.
 *
 * @param databaseUrl a direct connection or a session-mode pooler: the lock belongs to the connection
 * @returns names of the migrations that ran, oldest first
 */
export const migrateDatabase = async (databaseUrl: string): Promise<string[]> => {
  // Uses its own client: the runner does not wait for its own connection to close.
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const ran: string[] = [];
    for (const part of PARTS) {
      const done = await runner({
        ...part,
        dbClient: client,
        direction: 'up',
        advisoryLockMode: 'wait',
        lockValue: LOCK,
        singleTransaction: true,
        logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
      });
      ran.push(...done.map(({ name }) => name));
    }
    await client.query('select secure_tables()');
    return ran;
  } finally {
    await client.end();
  }
};

/** Failures are also thrown. */
const ignore = (): void => undefined;
