/**
 * Calls made while the work runs share its next run. The returned promise resolves after a run that began after the
 * call, so that run has seen everything before the call.
 *
 * @param gatherMs minimum time between the starts of two runs. The first call after a quiet period runs immediately;
 * under load, calls coalesce into fewer runs. Default 0.
 */
export const coalesce = (work: () => Promise<void>, gatherMs = 0): (() => Promise<void>) => {
  let running: Promise<void> | null = null;
  /** The next run, not yet started. */
  let next: Promise<void> | null = null;
  let beganAt = -Infinity;

  const begin = (): Promise<void> => {
    next = null;
    beganAt = performance.now();
    running = work().finally(() => {
      running = null;
    });
    return running;
  };
  const restMs = (): number => beganAt + gatherMs - performance.now();
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
