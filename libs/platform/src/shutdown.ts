import type { Logger } from './logger.js';

export interface ShutdownStep {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/**
 * Ends the process in order on SIGTERM or SIGINT: each step in turn, all of them within the deadline.
 * Exit code 0 when every step finished, 1 when one failed or the deadline cut in.
 */
export const stopOnSignal = (logger: Logger, deadlineSeconds: number, steps: readonly ShutdownStep[]): void => {
  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    const started = Date.now();
    const cutOff = setTimeout(() => {
      logger.error({ signal, deadlineSeconds }, 'process.cut_off');
      process.exit(1);
    }, deadlineSeconds * 1_000);
    const failed: string[] = [];
    for (const step of steps) {
      try {
        await step.run();
      } catch (error) {
        failed.push(step.name);
        logger.error({ err: error, step: step.name }, 'shutdown.step_failed');
      }
    }
    clearTimeout(cutOff);
    logger.info({ signal, durationMs: Date.now() - started, failed }, 'process.stopped');
    process.exit(failed.length === 0 ? 0 : 1);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
};
