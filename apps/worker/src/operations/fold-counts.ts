import { Ticker } from '@turnkeeper/platform';
import { PgTotals } from '@turnkeeper/postgres';
import { INDEX_PATIENCE } from '../indexes/follow-log.js';
import type { WorkerResources } from '../resources.js';

/**
 * Adds recorded changes to the stored totals. Readers add them to what they read, so nothing waits for it; it keeps
 * the table of changes short. At the pace of the index of sessions, for the same reason. Safe to run in several workers.
 */
export const foldCountsTicker = ({ settings, dataSource, logger }: WorkerResources): Ticker => {
  const totals = new PgTotals(dataSource);
  return new Ticker(
    'counts',
    INDEX_PATIENCE * settings.SWEEP_INTERVAL_MS,
    async (signal) => {
      while (await totals.fold()) signal.throwIfAborted();
    },
    logger,
  );
};
