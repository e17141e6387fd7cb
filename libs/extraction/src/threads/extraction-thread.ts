import { runBelowNormal } from './below-normal.js';
import { runTask, type ExtractionTaskResult, type TimedTask } from './extraction-task.js';
import { noteBegin } from './thread-clock.js';

runBelowNormal();

/** Runs in a worker thread of `ExtractionThreads`. */
const runTimed = ({ task, clock }: TimedTask): ExtractionTaskResult => {
  noteBegin(clock);
  return runTask(task);
};

export default runTimed;
