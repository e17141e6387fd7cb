import type { Ports } from '../ports.js';
import { appendsOfWithdrawal } from '../erasure/erasure-appends.js';
import type { AppendRequest } from '../log/event-store.port.js';
import type { AppendingTransaction } from '../shared/transaction.port.js';
import type { ExtractionClaim } from './extraction-claims.port.js';

type Deps = Pick<Ports, 'recordWriter' | 'ids'> & { readonly erasure: Pick<Ports['erasure'], 'holdActors'> };

/**
 * Locks the namespace of a run and, if its window has interruptions, those of the records that cite what was cut.
 *
 * @param heard what was heard of the messages that the window's interruptions cut
 */
export const lockNamespaces = async (
  { recordWriter, erasure }: Deps,
  tx: AppendingTransaction,
  { tenantId, memoryId, actorId }: ExtractionClaim,
  namespace: string,
  heard: ReadonlyMap<string, string>,
): Promise<void> => {
  // The withdrawal is logged in the actor's own stream.
  if (heard.size > 0) await erasure.holdActors(tx, memoryId, [actorId]);
  const namespaces = new Set([namespace]);
  for (const eventId of heard.keys()) {
    for (const citing of await recordWriter.namespacesOfEvent(tx, tenantId, eventId)) namespaces.add(citing);
  }
  // Always in the same order, as an erasure does.
  for (const each of [...namespaces].sort()) await recordWriter.lockNamespace(tx, memoryId, each);
};

/**
 * Withdraws the records that were extracted from what an interruption has cut off since, whichever strategy made them.
 * Nothing is redacted: what was generated is still in the log.
 */
export const withdrawUnheard = async (
  deps: Deps,
  tx: AppendingTransaction,
  { tenantId, memoryId, actorId }: ExtractionClaim,
  heard: ReadonlyMap<string, string>,
): Promise<AppendRequest[]> => {
  if (heard.size === 0) return [];
  const left = await deps.recordWriter.removeUnheard(tx, tenantId, heard);
  return appendsOfWithdrawal(deps, tx, { tenantId, memoryId, actorId }, left, 'not_heard');
};
