import { RecordNotFound } from '@turnkeeper/domain';
import { factOf, pendingEvent } from '../log/stored-event.js';
import { requireMemory } from '../memories/require-memory.js';
import { commitOnly } from '../shared/transaction.port.js';
import type { RecordView } from './record-reader.port.js';
import { projectRecords } from '../projections/project-records.js';
import { holdRecord, streamOf } from './change-record.js';
import type { RecordChangeDeps } from './insert-records.js';

/**
 * Reverts the supersession of a record: it is current again, as is the record that had superseded it. A current record
 * is left unchanged.
 */
export class ReinstateRecord {
  constructor(private readonly deps: RecordChangeDeps) {}

  /** Rejects with `RecordNotFound`, or with `RecordExists` if a current record states the same fact. */
  async execute(tenantId: string, memoryId: string, recordId: string): Promise<RecordView> {
    const { unitOfWork, memories, records, ids } = this.deps;
    await requireMemory(memories, tenantId, memoryId);
    await unitOfWork.appendFor(tenantId, async (tx) => {
      const record = await holdRecord(this.deps, tx, tenantId, memoryId, recordId);
      if (record.supersededBy === null) return commitOnly(undefined);
      const event = factOf(ids.next(), 'supersession.withdrawn', { recordId });
      const scope = { tenantId, memoryId, ...streamOf(record) };
      await projectRecords(this.deps, tx, pendingEvent(scope, event, await tx.recordedAt()));
      return { append: [{ ...scope, events: [event] }], result: () => undefined };
    });
    const current = await records.find(tenantId, memoryId, recordId);
    if (current === null) throw new RecordNotFound();
    return current;
  }
}
