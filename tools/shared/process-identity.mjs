import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Process ids are given out again. A pid together with the moment its process started names one process for ever,
 * so that stopping what a state file names can never hit a stranger.
 *
 * @typedef {{ pid: number, stamp: string }} ProcessIdentity
 */

/**
 * When the process with this pid started, in an opaque form; undefined when no such process is running.
 * A zombie counts as not running: it has ended, and only its parent can take it away.
 *
 * @param {number} pid
 * @returns {string | undefined}
 */
export const stampOf = (pid) => (process.platform === 'linux' ? linuxStamp(pid) : portableStamp(pid));

/** @returns {ProcessIdentity} of this process */
export const ownIdentity = () => ({ pid: process.pid, stamp: stampOf(process.pid) ?? 'unknown' });

/** @param {ProcessIdentity | undefined} identity */
export const isRunning = (identity) => identity !== undefined && stampOf(identity.pid) === identity.stamp;

/**
 * The start stamp in the text of `/proc/<pid>/stat`. The command's name, in parentheses, may itself hold spaces and
 * parentheses, so the fields are counted from its last one.
 *
 * @param {string} stat
 * @returns {{ state: string, startTicks: string }}
 */
export const parseStat = (stat) => {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0], startTicks: fields[19] };
};

/** The command line of a process, as far as this user may read it; '' when there is none. */
export const commandOf = (pid) => {
  if (process.platform !== 'linux')
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
};

const linuxStamp = (pid) => {
  try {
    const { state, startTicks } = parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    return state === 'Z' || state === 'X' ? undefined : `${startTicks}@${bootId()}`;
  } catch {
    return undefined;
  }
};

/** Start times count from the boot, so they repeat after the next one. */
const bootId = () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();

const portableStamp = (pid) => {
  const ps = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' });
  const line = ps.stdout?.trim();
  if (ps.status !== 0 || !line || line.startsWith('Z')) return undefined;
  return line.slice(line.indexOf(' ')).trim();
};
