import { chmodSync, chownSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { basename, dirname, join } from 'node:path';

/**
 * Postgres refuses to run as root, so root runs it as another user, who must be able to reach the data and the
 * binaries. Other users run it as themselves.
 *
 * @typedef {{ uid: number, gid: number }} Owner
 */

/** Dedicated or unprivileged accounts, best first. */
const ACCOUNTS = ['postgres', 'nobody', 'daemon'];

/**
 * @param {string} passwd the text of /etc/passwd
 * @returns {Owner}
 */
export const ownerFrom = (passwd) => {
  const accounts = new Map(passwd.split('\n').map((entry) => [entry.split(':')[0], entry.split(':')]));
  const found = ACCOUNTS.map((name) => accounts.get(name)).find((entry) => entry !== undefined && entry[2] !== '0');
  if (!found)
    throw new Error(`Postgres does not run as root, and none of the users ${ACCOUNTS.join(', ')} exists here.`);
  return { uid: Number(found[2]), gid: Number(found[3]) };
};

/** The user that runs Postgres; undefined for the current one. */
export const postgresOwner = () =>
  process.getuid?.() === 0 ? ownerFrom(readFileSync('/etc/passwd', 'utf8')) : undefined;

/** Existing data belongs to the user that first ran the server; only that user can run it again. */
export const ownerOfFolder = (folder) => {
  const stat = process.getuid?.() === 0 ? statSync(folder, { throwIfNoEntry: false }) : undefined;
  return stat && stat.uid !== 0 ? { uid: stat.uid, gid: stat.gid } : undefined;
};

/** Whether the owner can enter this folder or run this program; asks the system, which knows all the rules. */
export const canReach = (path, owner) =>
  owner === undefined || spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], { ...owner, cwd: '/' }).status === 0;

/**
 * The server's data folder: inside `dir` if its owner can reach it; otherwise, if the clone is in a private home
 * directory, a separate folder under /var/lib.
 *
 * @param {string} dir
 * @param {Owner | undefined} owner
 * @returns {string}
 */
export const dataFolder = (dir, owner) => {
  mkdirSync(dir, { recursive: true });
  if (owner) makePassable(dir);
  if (canReach(dir, owner)) return join(dir, 'postgres');
  const hash = createHash('sha256').update(dir).digest('hex').slice(0, 8);
  const outside = join('/var/lib/turnkeeper', `${basename(dirname(dir))}-${hash}`);
  makePassable(dirname(outside));
  makePassable(outside);
  return join(outside, 'postgres');
};

/** Can be traversed but not listed, regardless of the umask. */
const makePassable = (folder) => {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o711);
};

/** Creates the folder, accessible only to the owner. */
export const makeOwnFolder = (folder, owner) => {
  mkdirSync(folder, { recursive: true });
  if (owner) chownSync(folder, owner.uid, owner.gid);
  chmodSync(folder, 0o700);
};
