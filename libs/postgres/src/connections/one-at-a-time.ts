export interface Patience {
  /** Work that runs for this long is overtaken by the next in line, in milliseconds. Default: never. */
  readonly stuckMs?: number;
  /**
   * Maximum wait, in milliseconds: for work whose transaction is open already, and which the server ends if it is idle
   * for too long. Default: none.
   */
  readonly longestWaitMs?: number;
}

type InTurn = <T>(
  work: () => Promise<T>,
  /** A pause before the next work starts, which never counts as stuck. The result of this work is not delayed. */
  pauseAfter?: (workedMs: number) => Promise<void>,
) => Promise<T>;

/**
 * Runs work one at a time in FIFO order. Beside work that has run for `stuckMs`, the next one starts; the others wait for
 * that one. The time counts from the start of the work, not from the arrival of what waits for it: a long queue is no
 * reason to run several at once.
 */
export const oneAtATime = ({ stuckMs, longestWaitMs }: Patience): InTurn => {
  let last: Promise<void> = Promise.resolve();
  return async (work, pauseAfter = async () => undefined) => {
    const previous = last;
    let letNext = (): void => undefined;
    last = new Promise((resolve) => (letNext = resolve));
    await within(previous, longestWaitMs);
    const cancel = later(stuckMs, letNext);
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      cancel();
      void pauseAfter(performance.now() - startedAt).then(letNext, letNext);
    }
  };
};

/** Resolves when `promise` does, or after `ms` milliseconds. */
const within = (promise: Promise<void>, ms: number | undefined): Promise<void> =>
  new Promise((resolve) => {
    const cancel = later(ms, resolve);
    void promise.then(() => {
      cancel();
      resolve();
    });
  });

/** @returns cancels it */
const later = (ms: number | undefined, run: () => void): (() => void) => {
  if (ms === undefined) return () => undefined;
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};
