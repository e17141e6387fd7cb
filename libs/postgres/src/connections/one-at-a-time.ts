/** Runs work one at a time in FIFO order. Work that has waited for `patienceMs` runs concurrently instead. */
export const oneAtATime = (patienceMs: number): (<T>(work: () => Promise<T>) => Promise<T>) => {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = within(last, patienceMs).then(work);
    last = Promise.allSettled([last, next]);
    return next;
  };
};

/** Resolves when `promise` settles or after `ms` milliseconds. */
const within = (promise: Promise<unknown>, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    void promise.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
