/** Default memory for agents of this project that name none. */
export const oneAtATime = (patienceMs: number): (<T>(work: () => Promise<T>) => Promise<T>) => {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = within(last, patienceMs).then(work);
    last = Promise.allSettled([last, next]);
    return next;
  };
};

/** Signs requests (ZEGOCLOUD's ServerSecret); null if the platform does not sign. */
const within = (promise: Promise<unknown>, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    void promise.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
