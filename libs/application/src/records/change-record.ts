import { ACTOR_STREAM, RecordNotFound, redactDerived } from '@turnkeeper/domain';
import { appendsAboutRecords } from '../erasure/erasure-appends.js';
import { factOf, pendingEvent, type Fact } from '../log/stored-event.js';
import { requireMemory } from '../memories/require-memory.js';
import type { MemoryScope, AppendRequest } from '../log/event-store.port.js';
import type { LogErasure } from '../erasure/log-erasure.port.js';
import type { HeldRecord } from './record-writer.port.js';
import type { RecordView } from './record-reader.port.js';
import { commitOnly, type AppendingTransaction, type Transaction } from '../shared/transaction.port.js';
import { projectRecords } from '../projections/project-records.js';
import type { RecordChangeDeps } from './insert-records.js';

/** Locks and returns the record. Its namespace is locked too, so no other record of it can be added or changed. */
const holdRecord = async (
  { recordWriter }: RecordChangeDeps,
  tx: Transaction,
  tenantId: string,
  memoryId: string,
  recordId: string,
): Promise<HeldRecord> => {
  // Reads in the transaction: with a second connection per request, concurrent requests could exhaust the pool and
  // deadlock.
  const namespace = await recordWriter.namespaceOf(tx, tenantId, memoryId, recordId);
  if (namespace === null) throw new RecordNotFound();
  await recordWriter.lockNamespace(tx, memoryId, namespace);
  const held = await recordWriter.hold(tx, tenantId, memoryId, recordId);
  if (held === null) throw new RecordNotFound();
  return held;
};

/** The stream for events about this record. It must be erased together with the record. */
export const streamOf = ({ actorId, sessionId }: HeldRecord) =>
  actorId === null ? { actorId: null, sessionId: null } : { actorId, sessionId: sessionId ?? ACTOR_STREAM };

/**
 * Changes a record by one event.
 *
 * @param eventFor the event; null if the record needs no change
 * @returns the record afterwards
 */
const changeRecord = async (
  deps: RecordChangeDeps,
  { tenantId, memoryId }: MemoryScope,
  recordId: string,
  eventFor: (record: HeldRecord) => Fact<'record.corrected'> | Fact<'supersession.withdrawn'> | null,
): Promise<RecordView> => {
  await requireMemory(deps.memories, tenantId, memoryId);
  await deps.unitOfWork.appendFor(tenantId, async (tx) => {
    const record = await holdRecord(deps, tx, tenantId, memoryId, recordId);
    const event = eventFor(record);
    if (event === null) return commitOnly(undefined);
    const scope = { tenantId, memoryId, ...streamOf(record) };
    await projectRecords(deps, tx, pendingEvent(scope, event, await tx.recordedAt()));
    return { append: [{ ...scope, events: [event] }], result: () => undefined };
  });
  const changed = await deps.records.find(tenantId, memoryId, recordId);
  if (changed === null) throw new RecordNotFound();
  return changed;
};

/** Corrects a record's text. Its sources are unchanged. */
export class CorrectRecord {
  constructor(private readonly deps: RecordChangeDeps) {}

  execute(tenantId: string, memoryId: string, recordId: string, text: string): Promise<RecordView> {
    return changeRecord(this.deps, { tenantId, memoryId }, recordId, (record) =>
      record.text === text ? null : factOf(this.deps.ids.next(), 'record.corrected', { recordId, text }),
    );
  }
}

/**
 * Reverts the supersession of a record: it is current again, as is the record that had superseded it. A current record
 * is left unchanged.
 */
export class ReinstateRecord {
  constructor(private readonly deps: RecordChangeDeps) {}

  /** Rejects with `RecordNotFound`, or with `RecordExists` if a current record states the same fact. */
  execute(tenantId: string, memoryId: string, recordId: string): Promise<RecordView> {
    return changeRecord(this.deps, { tenantId, memoryId }, recordId, (record) =>
      record.supersededBy === null ? null : factOf(this.deps.ids.next(), 'supersession.withdrawn', { recordId }),
    );
  }
}

/** Deletes a record, including from the events that created or confirmed it. Its source messages remain. */
export class DeleteRecord {
  constructor(private readonly deps: RecordChangeDeps & { readonly erasure: LogErasure }) {}

  async execute(tenantId: string, memoryId: string, recordId: string): Promise<void> {
    const { unitOfWork, memories } = this.deps;
    await requireMemory(memories, tenantId, memoryId);
    await unitOfWork.appendFor(tenantId, async (tx) => {
      const record = await holdRecord(this.deps, tx, tenantId, memoryId, recordId);
      return {
        append: await withdrawRecords(this.deps, tx, { tenantId, memoryId }, [record]),
        result: () => undefined,
      };
    });
  }
}

/**
 * Deletes locked records of one actor, also from the events that created or confirmed them. Their source messages
 * remain.
 *
 * @returns the changes to append to the log
 */
export const withdrawRecords = async (
  deps: RecordChangeDeps & { readonly erasure: LogErasure },
  tx: AppendingTransaction,
  { tenantId, memoryId }: MemoryScope,
  records: readonly HeldRecord[],
): Promise<AppendRequest[]> => {
  const recordIds = records.map(({ recordId }) => recordId);
  const places = records.flatMap(({ sourcePlaces }) => sourcePlaces);
  const sessionKeys = [...new Set(places.map(({ sessionKey }) => sessionKey))];
  const redaction = { eventIds: new Set<string>(), withdrawn: new Set(recordIds), carried: new Set<string>() };
  for (const sessionKey of sessionKeys) {
    let [from, through] = [Infinity, 0];
    for (const place of places) {
      if (place.sessionKey !== sessionKey) continue;
      from = Math.min(from, place.sequence);
      through = Math.max(through, place.sequence);
    }
    for (const extraction of await deps.erasure.extractionsOf(tx, { tenantId, sessionKey }, { from, through })) {
      const data = redactDerived(extraction, redaction);
      if (data !== null) await deps.erasure.redact(tx, extraction, data);
    }
  }
  const erased = await deps.recordWriter.withdraw(tx, tenantId, recordIds);
  const place = { tenantId, memoryId, actorId: records[0]?.actorId ?? null };
  return appendsAboutRecords(deps, tx, place, erased, 'requested', sessionKeys);
};
