import { runTask } from './extraction-task.js';

/** Runs in a worker thread of `ExtractionThreads`. */
export default runTask;
