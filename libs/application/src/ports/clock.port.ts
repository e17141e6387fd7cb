export interface Clock {
  now(): Date;
}

export interface Ids {
  /** A new time-ordered UUID (version 7). */
  next(): string;
  /** The same UUID for the same parts, for ever (version 8, from SHA-256). */
  derive(...parts: readonly (string | number)[]): string;
}

/** Calls the work every so many milliseconds until the returned function is called. */
export type Every = (ms: number, work: () => void) => () => void;
