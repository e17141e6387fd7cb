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

/** Connections of a pool: in use, idle, and requests waiting for one. */
export interface PoolUse {
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
}

/** Reads the pools on each metrics scrape. */
export const poolMetrics = (metrics: Metrics, pools: () => readonly PoolUse[]): void => {
  metrics.gauge('database_connections', (gauge) => {
    const uses = pools();
    for (const state of ['used', 'idle', 'waiting'] as const) {
      gauge.set(
        { state },
        uses.reduce((sum, use) => sum + use[state], 0),
      );
    }
  });
};
