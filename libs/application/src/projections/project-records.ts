import type { ProjectedEvent, TypesOf } from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import type { Transaction } from '../shared/transaction.port.js';
import { insertedSnapshot } from '../records/inserted-record.js';

export type RecordStores = Pick<Ports, 'recordWriter'>;

/**
 * Applies an event to records. Events may name missing records: the events that created them were erased, and what
 * remains of them follows in a later event.
 */
export const projectRecords = async (
  { recordWriter }: RecordStores,
  tx: Transaction,
  event: ProjectedEvent<TypesOf<'records'>>,
): Promise<void> => {
  const { tenantId, memoryId, eventId, actorId, recordedAt } = event;
  // Records written as a whole belong to no session, because they outlive their source sessions.
  const origin = { tenantId, memoryId, eventId, sessionKey: null };
  switch (event.type) {
    case 'records.extracted':
      return recordWriter.apply(tx, event);
    case 'records.inserted': {
      const inserted = event.data.records.map((record) => insertedSnapshot(record, actorId, recordedAt));
      return recordWriter.save(tx, origin, inserted);
    }
    case 'records.carried_over':
      return recordWriter.save(tx, origin, event.data.records);
    case 'records.withdrawn':
      return recordWriter.remove(tx, tenantId, event.data.recordIds);
    case 'record.corrected':
      return recordWriter.correct(tx, tenantId, event.data.recordId, event.data.text, recordedAt);
    case 'supersession.withdrawn':
      return recordWriter.makeCurrent(tx, tenantId, event.data.recordId, recordedAt);
  }
};
