import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { lastLines } from './command.mjs';
import { isRunning, stampOf } from './process-identity.mjs';
import { until } from './wait.mjs';

/**
 * A process that outlives its caller.
 *
 * @typedef {{ name: string, pid: number, stamp: string, stopSignal: NodeJS.Signals }} Running as stored in a state file
 * @typedef {(running: Running) => void} Record
 * @typedef {Running & { logFile: string, exited: Promise<string> }} Launched `exited` says how it ended
 */

/**
 * Starts a process in a session of its own: a Ctrl-C in the terminal does not reach it, so that its parent can stop
 * processes in order. Its output goes to a log file; that of the previous start is kept as `.1`.
 *
 * @param {{ name: string, command: string, args: readonly string[], logFile: string, env?: NodeJS.ProcessEnv,
 *           cwd?: string, uid?: number, gid?: number, stopSignal?: NodeJS.Signals,
 *           record?: Record }} what `record` is told at once, before anything can go wrong
 * @returns {Promise<Launched>}
 */
export const launch = async ({ name, command, args, logFile, stopSignal = 'SIGTERM', record, ...options }) => {
  mkdirSync(dirname(logFile), { recursive: true });
  if (existsSync(logFile)) renameSync(logFile, `${logFile}.1`);
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  const exited = new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`));
    child.once('error', (error) => resolve(error.message));
  });
  const stamp = child.pid && stampOf(child.pid);
  if (!stamp) throw new Error(`${name} did not start (${await exited}).\n${tailOf(logFile)}`);
  const running = { name, pid: child.pid, stamp, stopSignal };
  record?.(running);
  return { ...running, logFile, exited };
};

/**
 * Waits until a launched process answers. When it ends before, that is an error which shows the end of its log.
 *
 * @param {Launched} launched
 * @param {() => unknown} ask
 * @param {number} [timeoutMs]
 */
export const untilAnswers = async (launched, ask, timeoutMs = 60_000) => {
  let ended;
  void launched.exited.then((how) => (ended = how));
  const answerOrEnd = async () => ended !== undefined || (await ask());
  const slow = (error) => {
    throw new Error(`${error.message}\n${tailOf(launched.logFile)}`);
  };
  await until(launched.name, answerOrEnd, { timeoutMs }).catch(slow);
  if (ended !== undefined)
    throw new Error(`${launched.name} ended at its start (${ended}).\n${tailOf(launched.logFile)}`);
};

/**
 * Stops a process that we started, and no other: SIGTERM first, SIGKILL after the deadline.
 *
 * @param {Running} running
 * @param {{ deadlineMs?: number }} [options] 15 s
 * @returns {Promise<'gone' | 'stopped' | 'killed'>} gone: it was not running any more
 */
export const stop = async (running, { deadlineMs = 15_000 } = {}) => {
  if (!isRunning(running)) return 'gone';
  send(running.pid, running.stopSignal);
  try {
    await until(running.name, () => !isRunning(running), { timeoutMs: deadlineMs, everyMs: 20 });
    return 'stopped';
  } catch {
    send(-running.pid, 'SIGKILL'); // it leads its own process group, so its children are included
    await until(running.name, () => !isRunning(running), { timeoutMs: 5000, everyMs: 20 });
    return 'killed';
  }
};

/** The end of a log file, indented, for an error message. */
export const tailOf = (logFile, count = 25) => {
  if (!existsSync(logFile)) return '';
  const lines = lastLines(readFileSync(logFile, 'utf8'), count).split('\n');
  return [`Last lines of ${logFile}:`, ...lines.map((line) => `  | ${line}`)].join('\n');
};

const send = (pid, signal) => {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
};
