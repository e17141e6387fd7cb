// `npm run rebuild [-- --check]`: rebuilds every projection from the log. Uses the database of DATABASE_URL, else that
// of the local system.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { script } from '../shared/script.mjs';
import { workspaceRoot } from '../shared/workspace.mjs';
import { build } from './build.mjs';
import { readEnvFile } from './env-file.mjs';
import { localSystem } from './state.mjs';

script(
  `Usage: npm run rebuild [-- --check] [-- --json]

Rebuilds every projection from the log, in the database of DATABASE_URL, else in that of npm start.

  --check   only compare, and change nothing; exit code 3 if something differs
  --json    print the report as one line of JSON`,
  { env: true },
);
const { DATABASE_URL, MIGRATION_DATABASE_URL } = process.env.DATABASE_URL
  ? process.env
  : readEnvFile(localSystem().envFile);
if (!DATABASE_URL) {
  console.error('DATABASE_URL must be set, or `npm start` have been run.');
  process.exit(2);
}
await build(() => undefined);
const main = join(workspaceRoot, 'apps', 'cli', 'dist', 'main.js');
const { status } = spawnSync(process.execPath, [main, 'rebuild', ...process.argv.slice(2)], {
  env: { ...process.env, DATABASE_URL, MIGRATION_DATABASE_URL: MIGRATION_DATABASE_URL ?? '' },
  stdio: 'inherit',
});
process.exit(status ?? 1);
