import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadEnvFile as load } from 'node:process';
import { InvalidSettings } from './define-settings.js';

/**
 * Loads `.env` from a directory, if present, into the environment. Existing variables take precedence, as with Compose.
 * Then reads settings whose value is in a file (`DATABASE_URL_FILE`).
 *
 * @param folder default: the working directory
 */
export const loadEnvFile = (folder = process.cwd()): void => {
  const file = join(folder, '.env');
  if (existsSync(file)) load(file);
  readSettingFiles(process.env);
};

/**
 * Settings that may be given as `NAME_FILE`, the path of a file with the value, which is how container engines provide
 * secrets.
 */
const FROM_FILES = [
  'DATABASE_URL',
  'MIGRATION_DATABASE_URL',
  'NATS_URL',
  'QUEUE_URL',
  'LLM_API_KEY',
  'HISTORY_LINK_SECRET',
  'SECRETS_OLD_KEYS',
  'OTEL_EXPORTER_OTLP_HEADERS',
];

/**
 * Reads settings whose value is in a file into the environment. A setting with its own value keeps it.
 *
 * @throws InvalidSettings if a file cannot be read; names the setting, never the value
 */
export const readSettingFiles = (environment: Record<string, string | undefined>): void => {
  for (const name of FROM_FILES) {
    const file = environment[`${name}_FILE`];
    if (!file || environment[name]) continue;
    try {
      environment[name] = readFileSync(file, 'utf8').trim();
    } catch (error) {
      const rule = `must name a file that can be read (${(error as { code?: string }).code ?? 'unreadable'})`;
      throw new InvalidSettings([{ name: `${name}_FILE`, rule }]);
    }
  }
};
