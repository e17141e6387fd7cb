import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Pids are reused. A pid with its process's start time identifies one process permanently, so that stopping a process
 * from a state file never hits another one.
 *
 * @typedef {{ pid: number, stamp: string }} ProcessIdentity
 */

/**
 * Opaque start time of the process with this pid; undefined if it is not running. A zombie counts as not running: it
 * has ended, and only its parent can reap it.
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
 * The start time in `/proc/<pid>/stat`. The command name, in parentheses, can contain spaces and parentheses, so the
 * fields are counted from the last one.
 *
 * @param {string} stat
 * @returns {{ state: string, parent: number, startTicks: string }}
 */
export const parseStat = (stat) => {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0], parent: Number(fields[1]), startTicks: fields[19] };
};

/** The command line of a process, as far as this user can read it; '' if there is none. */
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

/** Start times count from boot, so they repeat after a reboot. */
const bootId = () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();

const portableStamp = (pid) => {
  const ps = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' });
  const line = ps.stdout?.trim();
  if (ps.status !== 0 || !line || line.startsWith('Z')) return undefined;
  return line.slice(line.indexOf(' ')).trim();
};
