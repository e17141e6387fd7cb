import type { InsertedRecord, RecordSnapshot } from '@turnkeeper/domain';

/** Builds a record from an entry of a `records.inserted` event. */
export const insertedSnapshot = (
  record: InsertedRecord,
  actorId: string | null,
  recordedAt: string,
): RecordSnapshot => ({
  ...record,
  strategyVersion: null,
  actorId,
  extractor: 'stated',
  model: null,
  promptHash: null,
  slot: null,
  sources: [],
  statedAt: recordedAt,
  createdAt: recordedAt,
  updatedAt: recordedAt,
  supersededBy: null,
  validTo: null,
});
