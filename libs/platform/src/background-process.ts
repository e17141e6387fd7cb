import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Niceness: a third of the weight of a process that answers requests, so that background work still proceeds. */
const NICE = 5;

/**
 * Lowers the CPU priority of this process, so that on a busy machine requests are answered before background work is
 * done. Linux only. Never raises a priority, and ignores a system that forbids the change.
 */
export const runInBackground = (): void => {
  if (process.platform !== 'linux') return;
  // Each thread has its own priority. Later ones inherit it from the thread that starts them.
  for (const thread of readdirSync('/proc/self/task')) lower(Number(thread));
  // With autogroups, priorities count inside a session only, and the session has its own. Other processes may share a
  // session that is not ours.
  if (sessionOfProcess() === process.pid) ignoringErrors(() => writeFileSync('/proc/self/autogroup', String(NICE)));
};

const lower = (thread: number): void =>
  ignoringErrors(() => {
    if (getPriority(thread) < NICE) setPriority(thread, NICE);
  });

/** The fourth value after the process's name, which is in parentheses and can contain anything. */
const sessionOfProcess = (): number => {
  const text = readFileSync('/proc/self/stat', 'utf8');
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[3]);
};

const ignoringErrors = (change: () => void): void => {
  try {
    change();
  } catch {
    // The thread has ended meanwhile, or the system forbids it.
  }
};
