import { heardTexts, type LogEvent } from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import { appendsOfWithdrawal } from '../erasure/erasure-appends.js';
import type { AppendRequest, MemoryScope } from '../log/event-store.port.js';
import type { AppendingTransaction } from '../shared/transaction.port.js';

/** The session whose messages were cut. */
interface CutSession extends MemoryScope {
  readonly actorId: string;
  readonly sessionKey: number;
}

type Deps = Pick<Ports, 'recordWriter' | 'ids'> & { readonly erasure: Pick<Ports['erasure'], 'holdActors'> };

/**
 * Locks the namespace of a run, if any, and those of the records that cite what was cut.
 *
 * @param heard what was heard of messages that were cut
 */
export const lockNamespaces = async (
  { recordWriter, erasure }: Deps,
  tx: AppendingTransaction,
  { tenantId, memoryId, actorId }: CutSession,
  namespace: string | null,
  heard: ReadonlyMap<string, string>,
): Promise<void> => {
  // The withdrawal is logged in the actor's own stream.
  if (heard.size > 0) await erasure.holdActors(tx, memoryId, [actorId]);
  const namespaces = new Set(namespace === null ? [] : [namespace]);
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
  { tenantId, memoryId, actorId, sessionKey }: CutSession,
  heard: ReadonlyMap<string, string>,
): Promise<AppendRequest[]> => {
  if (heard.size === 0) return [];
  const left = await deps.recordWriter.removeUnheard(tx, { tenantId, sessionKey }, heard);
  return appendsOfWithdrawal(deps, tx, { tenantId, memoryId, actorId }, left, 'not_heard');
};

/**
 * Withdraws records as soon as an interruption is known. A run that read the message before and commits after this is
 * followed by one whose window has the interruption.
 */
export class WithdrawUnheard {
  constructor(private readonly deps: Deps & Pick<Ports, 'unitOfWork'>) {}

  async execute(interruptions: readonly LogEvent<'message.interrupted'>[]): Promise<void> {
    const bySession = new Map<number, LogEvent<'message.interrupted'>[]>();
    for (const event of interruptions) {
      if (event.sessionKey === null) continue;
      bySession.set(event.sessionKey, [...(bySession.get(event.sessionKey) ?? []), event]);
    }
    for (const [sessionKey, events] of bySession) {
      const { tenantId, memoryId, actorId } = events[0] as LogEvent<'message.interrupted'>;
      const heard = heardTexts(events.map(({ data }) => data));
      if (heard.size === 0 || actorId === null) continue;
      const session = { tenantId, memoryId, actorId, sessionKey };
      await this.deps.unitOfWork.append(async (tx) => {
        await lockNamespaces(this.deps, tx, session, null, heard);
        return { append: await withdrawUnheard(this.deps, tx, session, heard), result: () => undefined };
      });
    }
  }
}
