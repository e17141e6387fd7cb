/** Sizes of the connection pools of one process. */
export interface ConnectionShares {
  /** Appends: one batch per connection, and one for large requests. */
  readonly lanes: number;
  /** Rows of one tenant at a time (TypeORM). */
  readonly rows: number;
  /** Rows of all tenants (TypeORM). */
  readonly systemRows: number;
  /** Reads of the log and searches for one tenant at a time. */
  readonly log: number;
  /** Reads of the log for all tenants: relay, indexers, purge. */
  readonly systemLog: number;
}

/** Ingest works mostly for one tenant at a time, the worker for all of them. */
const WEIGHTS = {
  ingest: { rows: 4, log: 3, systemRows: 3, systemLog: 2 },
  worker: { rows: 4, log: 3, systemRows: 4, systemLog: 3 },
} as const;
/** Ingest publishes the log over a connection that holds the lock of the leader. */
const LEADER = { ingest: 1, worker: 0 } as const;

/**
 * Divides the connections of a process among its pools. A slow read of one kind never takes the connections of another.
 *
 * @param total connections of the process (`DATABASE_POOL_SIZE`); the shares, and the relay's connection, add up to it
 * @throws RangeError if a pool would get none
 */
export const shareConnections = (process: 'ingest' | 'worker', total: number, lanes = 1): ConnectionShares => {
  const weights = Object.entries(WEIGHTS[process]) as [keyof (typeof WEIGHTS)['ingest'], number][];
  const writers = lanes + 1;
  const reserved = writers + LEADER[process];
  const left = total - reserved;
  if (left < weights.length) {
    throw new RangeError(
      `DATABASE_POOL_SIZE must be at least ${reserved + weights.length} for ${process} with ${lanes} append lane(s).`,
    );
  }
  const shares = { lanes: writers, rows: 1, systemRows: 1, log: 1, systemLog: 1 };
  // Each further connection goes to the pool that has the least for its weight.
  for (let n = weights.length; n < left; n += 1) {
    const [poorest] = weights.toSorted(([a, weightA], [b, weightB]) => shares[a] / weightA - shares[b] / weightB);
    if (poorest !== undefined) shares[poorest[0]] += 1;
  }
  return shares;
};
