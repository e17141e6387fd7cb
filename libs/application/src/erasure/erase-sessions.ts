import {
  ActorNotFound,
  assertReaches,
  NOTHING_ERASED,
  SessionNotFound,
  type ErasedCounts,
  type ErasureOutcome,
  type Reach,
} from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import { requireMemory } from '../memories/require-memory.js';
import type { SessionScope } from '../log/event-store.port.js';
import type { ErasureScope } from './log-erasure.port.js';
import { commitOnly, Restart, type AppendingTransaction, type Ending } from '../shared/transaction.port.js';
import { appendAboutErasure, appendsAboutRecords } from './erasure-appends.js';

export type ErasureDeps = Pick<Ports, 'unitOfWork' | 'memories' | 'erasure' | 'recordWriter' | 'personalRows' | 'ids'>;

const PAGE = 100;

/** Result of a committed erasure, except the events, which are deleted afterwards. */
interface Closed {
  readonly keys: readonly number[];
  readonly counts: Omit<ErasedCounts, 'events'>;
  /** Records that remain because they have other sources. */
  readonly kept: number;
}

/**
 * Erases one session or all data of an actor. The data is unreadable once the transaction commits. The events are
 * deleted before this resolves, or by the next sweep if the process dies in between.
 *
 * Global lock order: connectors' calls, sessions, namespaces, rows, the log's head.
 */
export class EraseSessions {
  constructor(private readonly deps: ErasureDeps) {}

  /** Rejects with `OutOfReach` or `SessionNotFound`. */
  async session(reach: Reach, scope: SessionScope): Promise<ErasureOutcome> {
    assertReaches(reach, scope);
    await this.require(scope);
    const outcome = await this.erase(scope);
    if (outcome === null) throw new SessionNotFound();
    return outcome;
  }

  /** All data of an actor in one memory. Rejects with `OutOfReach`, or `ActorNotFound` if there is none. */
  async actor(reach: Reach, memoryId: string, actorId: string): Promise<ErasureOutcome> {
    assertReaches(reach, { memoryId, actorId });
    const scope = { tenantId: reach.tenantId, memoryId, actorId, sessionId: null };
    await this.require(scope);
    const outcome = await this.erase(scope);
    if (outcome === null) throw new ActorNotFound();
    return outcome;
  }

  /** All data of an actor in every memory of the tenant. Resolves to one outcome per memory that had any. */
  async actorEverywhere(reach: Reach, actorId: string): Promise<readonly ErasureOutcome[]> {
    assertReaches(reach, { memoryId: null, actorId });
    const { tenantId } = reach;
    const { memories } = this.deps;
    const found: ErasureOutcome[] = [];
    for (let offset = 0; ; offset += PAGE) {
      const { rows } = await memories.list(tenantId, { offset, limit: PAGE });
      for (const { memoryId } of rows) {
        const outcome = await this.erase({ tenantId, memoryId, actorId, sessionId: null });
        if (outcome !== null) found.push(outcome);
      }
      if (rows.length < PAGE) return found;
    }
  }

  private async require({ tenantId, memoryId }: ErasureScope): Promise<void> {
    await requireMemory(this.deps.memories, tenantId, memoryId);
  }

  /** Null if there was nothing to erase. */
  private async erase(scope: ErasureScope): Promise<ErasureOutcome | null> {
    const { unitOfWork, erasure, personalRows } = this.deps;
    const closed = await unitOfWork.appendFor(scope.tenantId, (tx) => this.close(tx, scope));
    if (closed === null) return null;
    const events = closed.keys.length === 0 ? 0 : await erasure.purgeSessions(closed.keys);
    const named = await personalRows.recordsNamedAfter(scope);
    return {
      erased: { ...closed.counts, events },
      left: { withOtherSources: closed.kept, inNamedNamespaces: named.records, namespaces: named.namespaces },
    };
  }

  private async close(tx: AppendingTransaction, scope: ErasureScope): Promise<Ending<Closed | null>> {
    const { erasure, recordWriter, personalRows } = this.deps;
    const { tenantId, memoryId, sessionId } = scope;
    const calls = await personalRows.eraseCalls(tx, scope);
    const keys = await erasure.lockSessions(tx, scope);
    const namespaces = await recordWriter.namespacesOf(tx, scope, keys);
    const isEmpty = keys.length === 0 && namespaces.length === 0 && !(await personalRows.hasGraphs(tx, scope));
    if (isEmpty) {
      const counts = { ...NOTHING_ERASED, vendorCallbacks: calls.callbacks };
      return commitOnly(calls.found ? { keys: [], counts, kept: 0 } : null);
    }
    for (const namespace of namespaces) await recordWriter.lockNamespace(tx, memoryId, namespace);
    const rows = await personalRows.eraseSessions(tx, scope, keys);
    const erased = await recordWriter.eraseSessions(tx, scope, keys);
    const closed = await erasure.closeSessions(tx, scope);
    // A session created since the first read may have work by now; start over.
    if (closed.length > keys.length) throw new Restart();
    const actorId = sessionId === null ? null : scope.actorId;
    const recordRequests = await appendsAboutRecords(
      this.deps,
      tx,
      { tenantId, memoryId, actorId },
      erased,
      'source_erased',
    );
    const erasureRequest = appendAboutErasure(this.deps, scope, {
      target: sessionId === null ? 'actor' : 'session',
      sessionKeys: closed,
      position: null,
      withdrawnRecords: erased.withdrawn.length,
      agentIds: rows.agentIds,
      receivers: rows.receivers,
    });
    const counts = {
      sessions: closed.length,
      records: erased.withdrawn.length,
      agents: rows.agentIds.length,
      extractionStates: rows.extractionStates,
      rollingMemories: rows.rollingMemories,
      webhookDeliveries: rows.webhookDeliveries,
      vendorCallbacks: calls.callbacks,
      graphThreads: rows.graphThreads,
      graphItems: rows.graphItems,
    };
    const kept = erased.survivors.filter(({ sources }) => sources.length > 0).length;
    return { append: [...recordRequests, erasureRequest], result: () => ({ keys: closed, counts, kept }) };
  }
}
