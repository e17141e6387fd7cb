import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import pg from 'pg';

/** The same folder from `src` and from `dist`. */
const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));
/** Cost as reported by the endpoint; null if it reported none or no model was called. */
const LOCK = 7_241_865_001;

/** A parsed answer. Untrusted until checked by `admit`. */
export const migrateLog = async (databaseUrl: string): Promise<string[]> => {
  // SUMMARY only: the rolling summary including the window, if the extractor makes one.
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

/** Sentences that the rules did not parse, by reason. Only set by extractors that report it. */
const ignore = (): void => undefined;
