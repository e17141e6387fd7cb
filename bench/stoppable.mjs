import { say } from '../tools/shared/steps.mjs';

/**
 * Runs a bench's work and stops what it started: at the end, after a failure, and on a signal.
 *
 * @param {{ stop: () => Promise<void> }} started
 * @param {() => Promise<void>} work
 * @param {(error: Error) => string} [describe] text for a failure; by default its message
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
