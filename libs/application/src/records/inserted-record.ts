import type { InsertedRecord, RecordSnapshot } from '@turnkeeper/domain';

/** What a `records.inserted` event makes of one of its records. */
export const snapshotOf = (record: InsertedRecord, actorId: string | null, recordedAt: string): RecordSnapshot => ({
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
