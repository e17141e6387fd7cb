import type { Logger } from './logger.js';

/** What a step is told about the stop that it is part of. */
export interface Shutdown {
  /** SIGTERM comes from an orchestrator that swaps processes; SIGINT from a person at a terminal. */
  readonly signal: 'SIGTERM' | 'SIGINT';
  /** Milliseconds left for work in hand, so that connections can still be closed before the deadline. Never negative. */
  readonly workLeftMs: () => number;
}

export interface ShutdownStep {
  readonly name: string;
  readonly run: (shutdown: Shutdown) => Promise<void>;
}

/** Kept back for closing connections once the work has ended: a fifth of the deadline, 2 s at most. */
const LONGEST_FAREWELL_MS = 2_000;
const FAREWELL_SHARE = 0.2;

/**
 * Ends the process in order on SIGTERM or SIGINT: each step in turn, all of them within the deadline.
 * Exit code 0 when every step finished, 1 when one failed or the deadline cut in.
 */
export const stopOnSignal = (logger: Logger, deadlineSeconds: number, steps: readonly ShutdownStep[]): void => {
  const deadlineMs = deadlineSeconds * 1_000;
  const workMs = deadlineMs - Math.min(deadlineMs * FAREWELL_SHARE, LONGEST_FAREWELL_MS);
  let stopping = false;
  const stop = async (signal: Shutdown['signal']): Promise<void> => {
    if (stopping) return;
    stopping = true;
    const started = performance.now();
    const elapsedMs = (): number => performance.now() - started;
    const shutdown: Shutdown = { signal, workLeftMs: () => Math.max(0, workMs - elapsedMs()) };
    const cutOff = setTimeout(() => {
      logger.error({ signal, deadlineSeconds }, 'process.cut_off');
      process.exit(1);
    }, deadlineMs);
    const failed: string[] = [];
    for (const step of steps) {
      try {
        await step.run(shutdown);
      } catch (error) {
        failed.push(step.name);
        logger.error({ err: error, step: step.name }, 'shutdown.step_failed');
      }
    }
    clearTimeout(cutOff);
    logger.info({ signal, durationMs: Math.round(elapsedMs()), failed }, 'process.stopped');
    process.exit(failed.length === 0 ? 0 : 1);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
};

/** Several stops as one step that shares the time left between them, instead of giving each its own. */
export const together =
  (...runs: readonly ShutdownStep['run'][]): ShutdownStep['run'] =>
  async (shutdown) => {
    const results = await Promise.allSettled(runs.map((run) => run(shutdown)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  };
