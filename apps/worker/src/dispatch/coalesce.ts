/**
 * Calls made while the work runs share its next run. The returned promise resolves after a run that began after the
 * call, so that run has seen everything before the call.
 *
 * @param gatherMs minimum time between the starts of two runs; 0, the default: none. After a run that took long, ten times as
 * long as it took, up to ten times this. The first call after a quiet period runs immediately; under load, calls coalesce
 * into fewer runs.
 */
export const coalesce = (work: () => Promise<void>, gatherMs = 0): (() => Promise<void>) => {
  let running: Promise<void> | null = null;
  /** The next run, not yet started. */
  let next: Promise<void> | null = null;
  let beganAt = -Infinity;
  let lastedMs = 0;

  const begin = (): Promise<void> => {
    next = null;
    beganAt = performance.now();
    running = work().finally(() => {
      running = null;
      lastedMs = performance.now() - beganAt;
    });
    return running;
  };
  const restMs = (): number => beganAt + Math.min(Math.max(gatherMs, 10 * lastedMs), 10 * gatherMs) - performance.now();
  const beginLater = async (): Promise<void> => {
    await running?.catch(() => undefined);
    if (restMs() > 0) await new Promise((resolve) => setTimeout(resolve, restMs()));
    await begin();
  };

  return () => {
    if (running === null && next === null && restMs() <= 0) return begin();
    next ??= beginLater();
    return next;
  };
};
