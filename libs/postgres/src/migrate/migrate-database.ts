import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runner, type MigrationBuilder } from 'node-pg-migrate';
import pg from 'pg';
import { adoptEarlierSchema } from './adopt-earlier-schema.js';

/** Resolves to the same directory from `src` and from `dist`. */
const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));
/** Advisory lock of the migrations. Processes that start concurrently wait for each other. */
const LOCK = 7_241_865_001;

/**
 * Migrates the database to the newest version. Idempotent, and safe to run from many processes at once: one migrates,
 * the others wait. Needs no superuser, only the right to create in the schema. Without the right to create roles,
 * row-level security is skipped. A database newer than this code is left unchanged.
 *
 * Each migration is a transaction of its own: what it locks is free again before the next one begins. If one fails, those
 * before it stay, and the next run continues with it. The transaction includes the grants and policies of new tables:
 * services of the version before write to them through triggers as soon as it is committed.
 *
 * @param databaseUrl a direct connection or a session-mode pooler: the lock belongs to the connection
 * @param dir the migrations
 * @returns names of the migrations that ran, oldest first
 * @throws OldSchema
 */
export const migrateDatabase = async (databaseUrl: string, dir = MIGRATIONS): Promise<string[]> => {
  // Uses its own client: the runner does not wait for its own connection to close.
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // Released with the connection.
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await adoptEarlierSchema(client);
    const ran = await runner({
      dbClient: client,
      dir,
      migrationsTable: 'schema_migrations',
      direction: 'up',
      noLock: true,
      singleTransaction: false,
      migrationLoaderStrategies: [{ extensions: ['.sql'], loader: loadSecured }],
      logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    });
    // Also without a migration to run: the roles may have become available since.
    await client.query(SECURE_TABLES);
    return ran.map(({ name }) => name);
  } finally {
    await client.end();
  }
};

/** In a new database, a later migration than the first creates the function. */
const SECURE_TABLES = `
  do $$ begin
    if to_regproc('secure_tables') is not null then perform secure_tables(); end if;
  end $$`;

const loadSecured = (paths: readonly string[]) =>
  Promise.all(
    paths.map(async (path) => {
      const text = await readFile(path, 'utf8');
      const up = (builder: MigrationBuilder): void => {
        builder.sql(text);
        builder.sql(SECURE_TABLES);
      };
      return { id: path, filePaths: [path], actions: { up, down: false as const } };
    }),
  );

/** Failures are also thrown. */
const ignore = (): void => undefined;
