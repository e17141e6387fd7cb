/**
 * Runs one piece of work at a time, in the order they came. One that has waited for `patienceMs` runs beside the others.
 */
export const oneAtATime = (patienceMs: number): (<T>(work: () => Promise<T>) => Promise<T>) => {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = within(last, patienceMs).then(work);
    last = Promise.allSettled([last, next]);
    return next;
  };
};

/** Resolves when `promise` has settled, or after so many milliseconds. */
const within = (promise: Promise<unknown>, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    void promise.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
