import { join } from 'node:path';
import { runOrThrow } from '../shared/command.mjs';
import { workspaceRoot } from '../shared/workspace.mjs';

/** What the local system runs; the libraries follow by reference. */
const APPS = ['ingest', 'worker', 'cli'];

/**
 * Compiles the apps and what they use, without their tests. The compiler is called directly, because it is several
 * times quicker than a task runner around it and does nothing where nothing has changed.
 */
export const build = (note) => {
  note('compiling');
  const compiler = join(workspaceRoot, 'node_modules', 'typescript-7', 'bin', 'tsc');
  const projects = APPS.map((app) => join('apps', app, 'tsconfig.lib.json'));
  return runOrThrow(process.execPath, [compiler, '--build', ...projects], { onLine: note });
};
