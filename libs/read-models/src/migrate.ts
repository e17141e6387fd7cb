import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import { secureTables } from './database-roles.js';

/** Numbered SQL files next to the sources. Resolves to the same directory from `src` and from `dist`. */
const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));

/**
 * Migrates the read-model tables to the newest version. Safe to run from many processes at once: one migrates, the
 * others wait.
 */
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
