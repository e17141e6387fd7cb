import { DeleteRequestedRecords } from '@turnkeeper/application';
import { Ticker } from '@turnkeeper/platform';
import type { Stores } from '@turnkeeper/runtime';
import type { WorkerResources } from '../resources.js';

/** Deletes the records of accepted requests, in batches. Safe to run in several workers. */
export const deleteRecordsTicker = ({ settings, logger }: WorkerResources, stores: Stores): Ticker => {
  const deleteRecords = new DeleteRequestedRecords({
    ...stores,
    failed: (deletionId, error) => logger.error({ deletionId, err: error }, 'record_deletion.failed'),
  });
  return new Ticker(
    'record deletions',
    settings.SWEEP_INTERVAL_MS,
    async (signal) => {
      const deleted = await deleteRecords.execute(signal);
      if (deleted > 0) logger.info({ deleted }, 'records.deleted');
    },
    logger,
  );
};
