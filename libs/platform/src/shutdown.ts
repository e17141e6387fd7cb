import type { Logger } from './logger.js';

/** Shutdown context of a step. */
export interface Shutdown {
  /** SIGTERM comes from an orchestrator, SIGINT from a person at a terminal. */
  readonly signal: 'SIGTERM' | 'SIGINT';
  /** Milliseconds left for work in progress, excluding the time to close connections. Never negative. */
  readonly workLeftMs: () => number;
}

export interface ShutdownStep {
  readonly name: string;
  readonly run: (shutdown: Shutdown) => Promise<void>;
}

/** Time reserved for closing connections after the work: a fifth of the deadline, at most 2 s. */
const LONGEST_FAREWELL_MS = 2_000;
const FAREWELL_SHARE = 0.2;

/**
 * Shuts the process down on SIGTERM or SIGINT: runs each step in sequence, all within the deadline. Exit code 0 if
 * every step finished, 1 if one failed or the deadline passed.
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

/** Combines several stops into one step that shares the remaining time, instead of giving each its own. */
export const together =
  (...runs: readonly ShutdownStep['run'][]): ShutdownStep['run'] =>
  async (shutdown) => {
    const results = await Promise.allSettled(runs.map((run) => run(shutdown)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  };
