import { say } from '../tools/shared/steps.mjs';

/**
 * Does a bench's work and takes down what it started: at the end, after a failure, and after a signal.
 *
 * @param {{ stop: () => Promise<void> }} started
 * @param {() => Promise<void>} work
 * @param {(error: Error) => string} [describe] what is said of a failure; by default its message
 */
export const runAndStop = async (started, work, describe = (error) => error.message) => {
  const interrupted = new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.once(signal, () => reject(new Error(`stopped by ${signal}`)));
    }
  });
  try {
    await Promise.race([work(), interrupted]);
  } catch (error) {
    say(`\n${describe(error)}`);
    process.exitCode = 1;
  } finally {
    await started.stop();
  }
};
