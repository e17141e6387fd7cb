import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadEnvFile as load } from 'node:process';

/**
 * Reads `.env` of a folder, where there is one, into the environment. What the environment says already counts more, as
 * with Compose.
 *
 * @param folder default: the working directory
 */
export const loadEnvFile = (folder = process.cwd()): void => {
  const file = join(folder, '.env');
  if (existsSync(file)) load(file);
};
