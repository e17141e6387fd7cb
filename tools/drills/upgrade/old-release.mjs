import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from '../../dev/build.mjs';
import { run, runOrThrow } from '../../shared/command.mjs';
import { workspaceRoot } from '../../shared/workspace.mjs';

const git = async (...args) => (await runOrThrow('git', args)).output.trim();
const MIGRATIONS = 'libs/postgres/migrations';

/** The commit before the newest migration was added: the last version with another schema. */
export const versionBefore = async () => {
  const added = await git('log', '-1', '--no-renames', '--diff-filter=A', '--format=%H', '--', MIGRATIONS);
  return git('rev-parse', `${added}^`);
};

/**
 * Checks a version out into a folder and compiles it with the installed packages.
 *
 * @param {string} version a commit, branch or tag
 * @param {string} folder
 * @param {(text: string) => void} note
 */
export const buildVersion = async (version, folder, note) => {
  await run('git', ['worktree', 'prune']);
  await git('worktree', 'add', '--force', '--detach', folder, version);
  linkPackages(folder);
  note('compiling');
  await compile(undefined, { cwd: folder, onLine: note });
};

export const removeVersion = async (folder) => {
  if (existsSync(folder)) await run('git', ['worktree', 'remove', '--force', folder], { evenAtTheEnd: true });
};

/** Names of the migrations that only the second of two folders has. */
export const newMigrations = (before, after) => {
  const known = new Set(readdirSync(join(before, MIGRATIONS)));
  return readdirSync(join(after, MIGRATIONS)).filter((name) => name.endsWith('.sql') && !known.has(name));
};

/** Links the installed packages, and the version's own libraries in place of this workspace's. */
const linkPackages = (folder) => {
  const installed = join(workspaceRoot, 'node_modules');
  const packages = join(folder, 'node_modules');
  const OWN = '@turnkeeper';
  mkdirSync(join(packages, OWN), { recursive: true });
  for (const name of readdirSync(installed)) {
    if (name !== OWN && !name.startsWith('.')) symlinkSync(join(installed, name), join(packages, name));
  }
  for (const name of readdirSync(join(folder, 'libs'))) {
    symlinkSync(join(folder, 'libs', name), join(packages, OWN, name));
  }
};
