import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runOrThrow } from './command.mjs';
import { readJson } from './json-file.mjs';
import { workspaceRoot } from './workspace.mjs';

/**
 * Whether every package in the lock file is installed in its version. npm writes its list of installed packages last,
 * so an interrupted installation counts as none.
 *
 * @typedef {{ version?: string, optional?: boolean, devOptional?: boolean, [field: string]: unknown }} LockedPackage
 * @typedef {{ packages?: Record<string, LockedPackage> }} LockFile
 *
 * @param {LockFile | undefined} lock package-lock.json
 * @param {LockFile | undefined} installed node_modules/.package-lock.json
 */
export const isInstalled = (lock, installed) =>
  lock !== undefined &&
  installed !== undefined &&
  Object.entries(lock.packages ?? {})
    .filter(([path, { optional, devOptional }]) => path.startsWith('node_modules/') && !optional && !devOptional)
    .every(
      ([path, { version }]) =>
        installed.packages?.[path]?.version === version &&
        installed.packages !== undefined &&
        path in installed.packages,
    );

/** Rejects an unsupported Node version with a clear error, before a package fails. */
export const checkNode = (version = process.versions.node) => {
  const [major, minor] = version.split('.').map(Number);
  const fine = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;
  if (!fine)
    throw new Error(
      `Node ${version} is too old or too odd: Turnkeeper needs 20.19 or later of 20, or 22.12 and later.`,
    );
};

/**
 * Installs the packages if they are missing or the lock file has changed.
 *
 * @param {(text: string) => void} note gets npm's progress
 * @returns {Promise<'present' | 'installed'>}
 */
export const installPackages = async (note) => {
  const lockFile = join(workspaceRoot, 'package-lock.json');
  if (isInstalled(readJson(lockFile), readJson(join(workspaceRoot, 'node_modules', '.package-lock.json'))))
    return 'present';
  const verb = existsSync(lockFile) ? 'ci' : 'install';
  note(`npm ${verb}: the first time takes a minute`);
  await runOrThrow('npm', [verb, '--no-audit', '--no-fund', '--loglevel=error'], {
    onLine: note,
    env: npmEnvironment(),
  });
  return 'installed';
};

/** Removes the settings that the outer npm (`npm start`) passes down, which would affect the inner one. */
const npmEnvironment = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_(config_(omit|include|production|workspace)|lifecycle|package)/.test(name),
    ),
  );
