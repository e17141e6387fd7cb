import { PARKED_KINDS } from '@turnkeeper/application';
import { Ticker } from '@turnkeeper/platform';
import { PgWorkGauges } from '@turnkeeper/postgres';
import type { Stores } from '@turnkeeper/runtime';
import type { WorkerResources } from '../resources.js';

const INTERVAL_MS = 10_000;
/** Maximum lines per run; the next run logs the rest. */
const NEWS_AT_ONCE = 200;

/**
 * Reports what only the database knows: how far log followers lag, the age of due work, what is parked, and whether the
 * queue answers. The figures cover the whole installation and are the same on every worker; each parked item is logged
 * by one worker. One worker also stores a sample of these figures every ten seconds.
 */
export const operationsTicker = (
  { dataSource, queue, logger, metrics, callers, settings }: WorkerResources,
  { activity, parkedWork }: Stores,
): Ticker => {
  const gauges = new PgWorkGauges(dataSource);
  const lagEvents = metrics.gauge('follower_lag_events');
  const lagSeconds = metrics.gauge('follower_lag_seconds');
  const oldestDue = metrics.gauge('oldest_due_seconds');
  const parked = metrics.gauge('parked_items');
  const parkedOldest = metrics.gauge('parked_oldest_seconds');
  const unfinished = metrics.gauge('unfinished_erasures');
  const unfinishedOldest = metrics.gauge('unfinished_erasure_oldest_seconds');
  const inactive = metrics.gauge('inactive_endpoints');
  const parkedTotal = metrics.counter('parked_total');
  const queueUp = metrics.gauge('queue_up');

  const look = async (): Promise<void> => {
    queueUp.set(
      await queue.ping().then(
        () => 1,
        () => 0,
      ),
    );
    const { lags, due } = await gauges.read();
    for (const { follower, events, seconds } of lags) {
      lagEvents.set({ follower }, events);
      lagSeconds.set({ follower }, seconds);
    }
    callers.noteFollowers(lags.some(({ seconds }) => seconds > settings.FOLLOWER_LAG_SECONDS));
    for (const { kind, seconds } of due) oldestDue.set({ kind }, seconds);
    const { erasures, endpoints } = await gauges.readStanding();
    for (const { kind, count, seconds } of erasures) {
      unfinished.set({ kind }, count);
      unfinishedOldest.set({ kind }, seconds);
    }
    for (const { status, count } of endpoints) inactive.set({ status }, count);
    const counts = await parkedWork.counts();
    for (const kind of PARKED_KINDS) {
      const found = counts.find((count) => count.kind === kind);
      parked.set({ kind }, found?.count ?? 0);
      parkedOldest.set({ kind }, found?.oldestSeconds ?? 0);
    }
    await activity.add({ lags, due, parked: counts.reduce((sum, { count }) => sum + count, 0) });
    for (const { kind, key, tenantId, memoryId, code, cause, attempts } of await parkedWork.takeNews(NEWS_AT_ONCE)) {
      parkedTotal.inc({ kind });
      logger.warn({ kind, key, tenantId, memoryId, code, cause, attempts }, 'work.parked');
    }
  };
  return new Ticker('operations', INTERVAL_MS, look, logger);
};
