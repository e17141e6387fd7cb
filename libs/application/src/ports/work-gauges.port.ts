/** How far a follower of the log is behind its head. */
export interface FollowerLag {
  readonly follower: 'dispatcher' | 'relay' | 'question_index';
  /** Positions between it and the head. */
  readonly events: number;
  /** Age of the oldest event that it has not seen; 0 when there is none. */
  readonly seconds: number;
}

/** Work whose time has come and that no worker holds. */
export interface OldestDue {
  readonly kind: 'extraction' | 'delivery' | 'call';
  /** For how long the oldest has been due; 0 when nothing is. */
  readonly seconds: number;
}

/** What an operator must be able to see of a whole installation, by the database's clock. */
export interface WorkGauges {
  read(): Promise<{ readonly lags: readonly FollowerLag[]; readonly due: readonly OldestDue[] }>;
}
