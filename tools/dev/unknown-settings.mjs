import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { workspaceRoot } from '../shared/workspace.mjs';

/** Their text names every setting, and what Compose reads from the same `.env`. */
const NAMING = ['.env.example', 'docker-compose.yml'];

/**
 * Names in `.env` that nothing reads: mostly misspelt settings, which would otherwise be ignored silently.
 *
 * @param {string} [folder]
 * @returns {string[]}
 */
export const unknownSettings = (folder = workspaceRoot) => {
  const file = join(folder, '.env');
  if (!existsSync(file)) return [];
  const naming = NAMING.map((name) => readFileSync(join(workspaceRoot, name), 'utf8')).join('\n');
  const known = new Set(naming.match(/\w+/g));
  return Object.keys(parseEnv(readFileSync(file, 'utf8'))).filter(
    (name) => !known.has(name) && !known.has(name.replace(/_FILE$/, '')),
  );
};
