import { constants, getPriority, setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';
import { runTask, type ExtractionTaskResult, type TimedTask } from './extraction-task.js';
import { noteBegin } from './thread-clock.js';

/**
 * Extraction can wait; requests and the event loop cannot. On Linux this changes the calling thread only, elsewhere it
 * would change the whole process.
 */
if (process.platform === 'linux' && !isMainThread) {
  setPriority(0, Math.max(getPriority(0), constants.priority.PRIORITY_BELOW_NORMAL));
}

/** Runs in a worker thread of `ExtractionThreads`. */
const runTimed = ({ task, clock }: TimedTask): ExtractionTaskResult => {
  noteBegin(clock);
  return runTask(task);
};

export default runTimed;
