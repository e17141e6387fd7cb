import { DeleteRequestedRecords } from '@turnkeeper/application';
import { Ticker, systemIds } from '@turnkeeper/platform';
import {
  PgRecordChanges,
  PgRecordDeletions,
  PgRecordStore,
  TypeOrmMemoryStore,
  TypeOrmUnitOfWork,
} from '@turnkeeper/postgres';
import type { WorkerResources } from '../resources.js';

/** Deletes the records of accepted requests, in batches. Safe to run in several workers. */
export const deleteRecordsTicker = ({ settings, dataSource, eventStore, logger }: WorkerResources): Ticker => {
  const deleteRecords = new DeleteRequestedRecords({
    unitOfWork: new TypeOrmUnitOfWork(dataSource, eventStore.staging),
    eventStore,
    erasure: eventStore.erasure,
    memories: new TypeOrmMemoryStore(dataSource),
    records: new PgRecordStore(dataSource),
    recordChanges: new PgRecordChanges(dataSource),
    deletions: new PgRecordDeletions(dataSource),
    ids: systemIds,
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
