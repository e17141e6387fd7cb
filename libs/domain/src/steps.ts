/** Work that yields between its steps, so that its caller can let others go first. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Runs all steps without letting others go first. */
export const atOnce = <T>(steps: Steps<T>): T => {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
};
