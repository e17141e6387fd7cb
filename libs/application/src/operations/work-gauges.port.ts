/** Lag of a log follower behind the head. */
export interface FollowerLag {
  readonly follower: 'dispatcher' | 'relay' | 'question_index' | 'turn_index';
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

/** Operational metrics of the whole installation, by the database's clock. */
export interface WorkGauges {
  read(): Promise<{ readonly lags: readonly FollowerLag[]; readonly due: readonly OldestDue[] }>;
}
