import { join } from 'node:path';
import { runOrThrow } from '../shared/command.mjs';
import { workspaceRoot } from '../shared/workspace.mjs';

/** The apps of the local system; libraries follow by project reference. */
const APPS = ['apps/ingest', 'apps/worker', 'apps/cli'];
/** Nothing of the system needs them, but `examples` do, which are run next. */
const OF_EXAMPLES = ['libs/langgraph', 'libs/tools'];

/**
 * Compiles projects and their dependencies, without tests. Calls the compiler directly: several times faster than
 * through a task runner, and a no-op if nothing has changed.
 *
 * @param {readonly string[]} [projects] their folders
 * @param {{ cwd?: string, onLine?: (text: string) => void }} [options] `cwd`: root of another version of the workspace
 */
export const compile = (projects = APPS, options = {}) => {
  const compiler = join(workspaceRoot, 'node_modules', 'typescript-7', 'bin', 'tsc');
  const configs = projects.map((folder) => join(folder, 'tsconfig.lib.json'));
  return runOrThrow(process.execPath, [compiler, '--build', ...configs], options);
};

/** Compiles the apps and the packages, and builds the console. */
export const build = async (note) => {
  note('compiling');
  await compile([...APPS, ...OF_EXAMPLES], { onLine: note });
  note('building the console');
  await runOrThrow(process.execPath, [join(workspaceRoot, 'apps', 'console', 'build.mjs')], { onLine: note });
};
