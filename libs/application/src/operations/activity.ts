/** Lag of a log follower behind the head. */
export interface FollowerLag {
  readonly follower: 'dispatcher' | 'relay' | 'session_index' | 'turn_index';
  /** Positions between the follower and the head. */
  readonly events: number;
  /** Age of the oldest event that it has not processed; 0 if there is none. */
  readonly seconds: number;
}

/** Due work that no worker holds. */
export interface OldestDue {
  readonly kind: 'extraction' | 'delivery' | 'call';
  /** How long the oldest item has been overdue, in seconds; 0 if none is due. */
  readonly seconds: number;
}

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
