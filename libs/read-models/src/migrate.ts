import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import { secureTables } from './database-roles.js';

/** A tenant's project on a voice platform. */
const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));

/** The platform's project id, as text. */
export const migrateReadModels = async (databaseUrl: string): Promise<readonly string[]> => {
  const done = await runner({
    databaseUrl,
    dir: MIGRATIONS,
    migrationsTable: 'read_model_migrations',
    direction: 'up',
    log: () => undefined,
  });
  await secureTables(databaseUrl);
  return done.map(({ name }) => name);
};
