import { join } from 'node:path';
import { lastLines, run } from '../shared/command.mjs';
import { workspaceRoot } from '../shared/workspace.mjs';

/** Runs the built command line; returns what it printed. */
export const cli = async (args, env, onLine) => {
  const { code, output } = await run(
    process.execPath,
    [join(workspaceRoot, 'apps', 'cli', 'dist', 'main.js'), ...args],
    { env, onLine },
  );
  if (code === 0) return output;
  throw new Error(`turnkeeper ${args.join(' ')} failed (exit ${code}).\n${lastLines(output)}`);
};

/** Migrates the database schema. */
export const migrate = (env, note) => cli(['migrate'], env, note);

/** Creates the tenant if necessary, and an API key for it. The key is shown once and stored only as a hash. */
export const createKey = async (env, tenant) => {
  const output = await cli(['key', 'create', '--create-tenant', '--tenant', tenant, '--json'], env);
  const answer = output.split('\n').find((text) => text.startsWith('{') && text.includes('"apiKey"'));
  if (!answer) throw new Error('turnkeeper key create printed no key.');
  return JSON.parse(answer);
};
