/**
 * Makes calls that come while the work runs share its next run. The returned promise resolves after a run that began
 * after the call, so whatever was true before the call has been seen.
 */
export const coalesce = (work: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const begin = (): Promise<void> => {
    next = null;
    running = work().finally(() => {
      running = null;
    });
    return running;
  };
  return () => {
    if (running === null) return begin();
    next ??= running.catch(() => undefined).then(begin);
    return next;
  };
};
