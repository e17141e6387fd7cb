import type { ProjectedEvent, TypesOf } from '@turnkeeper/domain';
import type { RecordChanges } from '../ports/record-changes.port.js';
import type { RecordStore } from '../ports/record-store.port.js';
import type { Transaction } from '../ports/transaction.port.js';
import { snapshotOf } from '../records/inserted-record.js';

export interface RecordStores {
  readonly records: RecordStore;
  readonly recordChanges: RecordChanges;
}

/**
 * Stores what an event makes of records. Events may name records that are not there: what made them was erased, and
 * what is left of them comes with a later event.
 */
export const projectRecords = async (
  { records, recordChanges }: RecordStores,
  tx: Transaction,
  event: ProjectedEvent<TypesOf<'records'>>,
): Promise<void> => {
  const { tenantId, memoryId, eventId, actorId, recordedAt } = event;
  // What is written whole belongs to no session: it outlives those that it was made from.
  const origin = { tenantId, memoryId, eventId, sessionKey: null };
  switch (event.type) {
    case 'records.extracted':
      return records.apply(tx, event);
    case 'records.inserted': {
      const inserted = event.data.records.map((record) => snapshotOf(record, actorId, recordedAt));
      return recordChanges.save(tx, origin, inserted);
    }
    case 'records.carried_over':
      return recordChanges.save(tx, origin, event.data.records);
    case 'records.withdrawn':
      return recordChanges.remove(tx, tenantId, event.data.recordIds);
    case 'record.corrected':
      return recordChanges.correct(tx, tenantId, event.data.recordId, event.data.text, recordedAt);
    case 'supersession.withdrawn':
      return recordChanges.makeCurrent(tx, tenantId, event.data.recordId, recordedAt);
  }
};
