import { say } from './steps.mjs';

/**
 * Runs work and stops what it started: at its end, after a failure, and on a signal. A failure is printed and sets the
 * exit code.
 *
 * @template T
 * @param {{ stop: () => Promise<unknown> }} started
 * @param {() => Promise<T>} work
 * @returns {Promise<T | undefined>} undefined after a failure
 */
export const runAndStop = async (started, work) => {
  const interrupted = new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.once(signal, () => reject(new Error(`stopped by ${signal}`)));
    }
  });
  try {
    return await Promise.race([work(), /** @type {Promise<never>} */ (interrupted)]);
  } catch (error) {
    say(`\n${error.stack}`);
    process.exitCode = 1;
    return undefined;
  } finally {
    await started.stop();
  }
};
