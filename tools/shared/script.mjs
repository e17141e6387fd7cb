import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadEnvFile } from 'node:process';
import { workspaceRoot } from './workspace.mjs';

/**
 * Common to every `npm run` script: `--help` prints the usage, and an error is one line on stderr without a stack
 * trace. Call it first.
 *
 * @param {string} usage
 * @param {{ env?: boolean }} [options] `env`: read the workspace's `.env`; the shell takes precedence
 */
export const script = (usage, { env = false } = {}) => {
  if (process.argv.slice(2).some((arg) => arg === '--help' || arg === '-h')) {
    process.stdout.write(`${usage.trimEnd()}\n`);
    process.exit(0);
  }
  for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, (error) => fail(error, usage));
  if (env) readDotEnv();
};

/** @param {string} [folder] */
const readDotEnv = (folder = workspaceRoot) => {
  const file = join(folder, '.env');
  if (existsSync(file)) loadEnvFile(file);
};

const fail = (error, usage) => {
  const misused = String(error?.code).startsWith('ERR_PARSE_ARGS');
  process.stderr.write(`${error?.message || error}\n${misused ? `\n${usage.trimEnd()}\n` : ''}`);
  process.exit(misused ? 2 : 1);
};
