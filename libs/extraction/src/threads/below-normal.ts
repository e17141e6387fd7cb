import { constants, getPriority, setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';

/** Argument of a thread that gives way only in some processes. */
export const IN_BACKGROUND = 'in-background';

/**
 * Lowers the priority of the calling thread: its work can wait, requests and the event loop cannot. Only on Linux, because
 * elsewhere it would change the whole process.
 */
export const runBelowNormal = (): void => {
  if (process.platform !== 'linux' || isMainThread) return;
  setPriority(0, Math.max(getPriority(0), constants.priority.PRIORITY_BELOW_NORMAL));
};
