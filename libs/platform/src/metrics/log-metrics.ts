import type { Metrics } from './metrics.js';

/** Observes how long writes wait for the head of the log and hold it. */
export const headMetrics = (metrics: Metrics): ((head: { waitedMs: number; heldMs: number }) => void) => {
  const wait = metrics.histogram('head_wait_seconds');
  const hold = metrics.histogram('head_hold_seconds');
  return ({ waitedMs, heldMs }) => {
    wait.observe(waitedMs / 1_000);
    hold.observe(heldMs / 1_000);
  };
};

/** Observes append batches. */
export const batchMetrics = (metrics: Metrics): ((batch: { events: number; ms: number }) => void) => {
  const appended = metrics.counter('appended_events_total');
  const size = metrics.histogram('append_batch_events');
  const duration = metrics.histogram('append_batch_duration_seconds');
  return ({ events, ms }) => {
    appended.inc(events);
    size.observe(events);
    duration.observe(ms / 1_000);
  };
};

/** Counts that a `pg.Pool` keeps of itself. */
export interface PoolCounts {
  readonly totalCount: number;
  readonly idleCount: number;
  /** Requests that wait for a connection. */
  readonly waitingCount: number;
}

/** Reads the pools each time the metrics are scraped. */
export const poolMetrics = (metrics: Metrics, pools: readonly PoolCounts[]): void => {
  const sum = (count: (pool: PoolCounts) => number): number => pools.reduce((total, pool) => total + count(pool), 0);
  metrics.gauge('database_connections', (gauge) => {
    gauge.set(
      { state: 'used' },
      sum(({ totalCount, idleCount }) => totalCount - idleCount),
    );
    gauge.set(
      { state: 'idle' },
      sum(({ idleCount }) => idleCount),
    );
    gauge.set(
      { state: 'waiting' },
      sum(({ waitingCount }) => waitingCount),
    );
  });
};
