import type { FollowerLag, OldestDue } from './work-gauges.port.js';

/** Figures of the whole installation at one moment. */
export interface ActivitySample {
  readonly lags: readonly FollowerLag[];
  readonly due: readonly OldestDue[];
  /** Parked items of all kinds. */
  readonly parked: number;
}

/** A stored sample, with what happened since the previous one. */
export interface StoredActivity extends ActivitySample {
  /** ISO 8601, by the database clock. */
  readonly at: string;
  /** Events appended per second since the previous sample; null for the first. */
  readonly appendedPerSecond: number | null;
  /** Webhook attempts since the previous sample. */
  readonly webhookAttempts: { readonly delivered: number; readonly failed: number };
}

/** Samples of the last hour, shared by all processes. */
export interface ActivityLog {
  /** Stores the sample, unless another process has already stored one for these ten seconds. */
  add(sample: ActivitySample): Promise<void>;
  /**
   * Samples of the last hour, oldest first.
   *
   * @param after ISO 8601; only samples taken later than this
   */
  lastHour(after?: string): Promise<readonly StoredActivity[]>;
}
