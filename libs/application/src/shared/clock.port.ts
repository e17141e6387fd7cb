export interface Clock {
  now(): Date;
}

export interface Ids {
  /** A new time-ordered UUID (version 7). */
  next(): string;
  /** Deterministic: the same parts always give the same UUID (version 8, from SHA-256). */
  derive(...parts: readonly (string | number)[]): string;
}

/** Calls `work` every `ms` milliseconds until the returned function is called. */
export type Every = (ms: number, work: () => void) => () => void;
