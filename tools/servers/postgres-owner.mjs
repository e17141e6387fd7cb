import { chmodSync, chownSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { basename, dirname, join } from 'node:path';

/**
 * Postgres refuses to run as root, so root runs it as somebody else, and that user must be able to reach the data and
 * the binaries. A plain user runs it as itself.
 *
 * @typedef {{ uid: number, gid: number }} Owner
 */

/** Accounts made for this, or for having no rights, best first. */
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

/** Existing data belongs to the user that ran the server first, and only that user can run it again. */
export const ownerOfFolder = (folder) => {
  const stat = process.getuid?.() === 0 ? statSync(folder, { throwIfNoEntry: false }) : undefined;
  return stat && stat.uid !== 0 ? { uid: stat.uid, gid: stat.gid } : undefined;
};

/** Whether the owner can enter this folder, or run this program; asked of the system, which alone knows all the rules. */
export const canReach = (path, owner) =>
  owner === undefined || spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], { ...owner, cwd: '/' }).status === 0;

/**
 * The folder for the server's data: inside `dir` where its owner can get there; else, when the clone lies in somebody's
 * closed home, at a place of its own under /var/lib.
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

/** To pass through, whatever the umask says, and not to look around in. */
const makePassable = (folder) => {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o711);
};

/** Makes the folder, for the owner's eyes only. */
export const makeOwnFolder = (folder, owner) => {
  mkdirSync(folder, { recursive: true });
  if (owner) chownSync(folder, owner.uid, owner.gid);
  chmodSync(folder, 0o700);
};
