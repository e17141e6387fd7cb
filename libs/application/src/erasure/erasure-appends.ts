import {
  ACTOR_STREAM,
  redactDerived,
  type ContentErased,
  type LogEvent,
  type RecordsWithdrawn,
  type Redaction,
} from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import { factOf, pendingEvents, type Fact } from '../log/stored-event.js';
import type { MemoryScope, AppendRequest } from '../log/event-store.port.js';
import type { ErasedSources } from '../records/record-writer.port.js';
import type { AppendingTransaction } from '../shared/transaction.port.js';
import { projectRecords, type RecordStores } from '../projections/project-records.js';

type Deps = Pick<Ports, 'erasure' | 'ids'>;

/**
 * The appends that log the effect of an erasure on records: those that were withdrawn, and full copies of those that
 * remain although the events that created them are gone or redacted. Redacts earlier events about both.
 *
 * @param actorId owner of the records; null for an erasure of the actor, after which they have no owner
 */
export const appendsAboutRecords = async (
  { erasure, ids, ...stores }: Deps & RecordStores,
  tx: AppendingTransaction,
  place: { readonly tenantId: string; readonly memoryId: string; readonly actorId: string | null },
  { withdrawn, survivors, accounts: eventIds, owners, ownersInSessions }: ErasedSources,
  reason: 'requested' | 'source_erased',
  sessionKeys: readonly number[] = [],
): Promise<AppendRequest[]> => {
  if (withdrawn.length === 0 && survivors.length === 0) return [];
  const { tenantId, memoryId, actorId } = place;
  const redaction: Redaction = {
    eventIds: new Set(),
    withdrawn: new Set(withdrawn),
    carried: new Set(survivors.map(({ recordId }) => recordId)),
  };
  const streams = {
    actorIds: actorId === null ? owners : [actorId, ...owners],
    actorIdsInSessions: ownersInSessions,
    sessionKeys,
  };
  for (const event of await erasure.recordAccounts(tx, { tenantId, memoryId, ...streams, eventIds })) {
    const data = redactDerived(event, redaction);
    if (data !== null) await erasure.redact(tx, event, data);
  }
  return appendsOfWithdrawal({ ids, ...stores }, tx, place, { withdrawn, survivors }, reason);
};

/** The appends that log withdrawn records, and full copies of those that this changed. Earlier events stay as they are. */
export const appendsOfWithdrawal = async (
  { ids, ...stores }: Pick<Ports, 'ids'> & RecordStores,
  tx: AppendingTransaction,
  { tenantId, memoryId, actorId }: MemoryScope & { readonly actorId: string | null },
  { withdrawn, survivors }: Pick<ErasedSources, 'withdrawn' | 'survivors'>,
  reason: RecordsWithdrawn['reason'],
): Promise<AppendRequest[]> => {
  if (withdrawn.length === 0 && survivors.length === 0) return [];
  const events: (Fact<'records.withdrawn'> | Fact<'records.carried_over'>)[] = [];
  if (withdrawn.length > 0) {
    events.push(factOf(ids.next(), 'records.withdrawn', { recordIds: withdrawn, reason }));
  }
  if (survivors.length > 0) events.push(factOf(ids.next(), 'records.carried_over', { records: survivors }));
  // In the actor's own stream, so that an erasure of the actor deletes it too.
  const scope = { tenantId, memoryId, actorId, sessionId: actorId === null ? null : ACTOR_STREAM };
  // The records are already up to date. Projecting the events keeps the rows equal to what a rebuild would produce.
  for (const event of pendingEvents(scope, events, await tx.recordedAt())) {
    await projectRecords(stores, tx, event as LogEvent<'records.withdrawn' | 'records.carried_over'>);
  }
  return [{ ...scope, events }];
};

/** The append that logs the erasure itself, without naming the person. */
export const appendAboutErasure = (
  { ids }: Pick<Deps, 'ids'>,
  { tenantId, memoryId }: MemoryScope,
  data: ContentErased,
): AppendRequest => {
  const event = factOf(ids.next(), 'content.erased', data);
  return { tenantId, memoryId, actorId: null, sessionId: null, events: [event] };
};
