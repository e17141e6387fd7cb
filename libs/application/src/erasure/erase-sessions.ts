import { ActorNotFound, SessionNotFound } from '@turnkeeper/domain';
import { requireMemory } from '../memories/require-memory.js';
import type { Ids } from '../ports/clock.port.js';
import type { EventStore, SessionScope } from '../ports/event-store.port.js';
import type { ErasureScope, LogErasure } from '../ports/log-erasure.port.js';
import type { MemoryStore } from '../ports/memory-store.port.js';
import type { PersonalRows } from '../ports/personal-rows.port.js';
import type { RecordChanges } from '../ports/record-changes.port.js';
import type { RecordStore } from '../ports/record-store.port.js';
import {
  commitOnly,
  Restart,
  type AppendingTransaction,
  type Ending,
  type UnitOfWork,
} from '../ports/transaction.port.js';
import { tellErasure, tellRecords } from './tell-erasure.js';

export interface ErasureDeps {
  readonly unitOfWork: UnitOfWork;
  readonly memories: MemoryStore;
  readonly eventStore: EventStore;
  readonly erasure: LogErasure;
  readonly records: RecordStore;
  readonly recordChanges: RecordChanges;
  readonly personalRows: PersonalRows;
  readonly ids: Ids;
}

const PAGE = 100;

/**
 * Erases sessions: one, or everything of an actor. Unreadable everywhere once the transaction commits; the events
 * themselves are deleted before this resolves, or by the next sweep if the process dies in between.
 *
 * Everybody takes locks in this order: connectors' calls, sessions, namespaces, rows, the log's head.
 */
export class EraseSessions {
  constructor(private readonly deps: ErasureDeps) {}

  /** Rejects with `SessionNotFound`. */
  async session(scope: SessionScope): Promise<void> {
    await this.require(scope);
    if (!(await this.erase(scope))) throw new SessionNotFound();
  }

  /** Everything of an actor in one memory. Rejects with `ActorNotFound` when there is nothing. */
  async actor(tenantId: string, memoryId: string, actorId: string): Promise<void> {
    const scope = { tenantId, memoryId, actorId, sessionId: null };
    await this.require(scope);
    if (!(await this.erase(scope))) throw new ActorNotFound();
  }

  /** Everything of an actor in every memory of the tenant. Resolves to the number of memories where there was something. */
  async actorEverywhere(tenantId: string, actorId: string): Promise<number> {
    const { memories } = this.deps;
    let found = 0;
    for (let offset = 0; ; offset += PAGE) {
      const { rows } = await memories.list(tenantId, { offset, limit: PAGE });
      for (const { memoryId } of rows) {
        if (await this.erase({ tenantId, memoryId, actorId, sessionId: null })) found += 1;
      }
      if (rows.length < PAGE) return found;
    }
  }

  private async require({ tenantId, memoryId }: ErasureScope): Promise<void> {
    await requireMemory(this.deps.memories, tenantId, memoryId);
  }

  /** False when there was nothing to erase. */
  private async erase(scope: ErasureScope): Promise<boolean> {
    const keys = await this.deps.unitOfWork.appendFor(scope.tenantId, (tx) => this.close(tx, scope));
    if (keys === null) return false;
    await this.deps.erasure.purgeSessions(keys);
    return true;
  }

  private async close(tx: AppendingTransaction, scope: ErasureScope): Promise<Ending<readonly number[] | null>> {
    const { erasure, records, recordChanges, personalRows } = this.deps;
    const { tenantId, memoryId, sessionId } = scope;
    const hadCalls = await personalRows.eraseCalls(tx, scope);
    const keys = await erasure.lockSessions(tx, scope);
    const namespaces = await recordChanges.namespacesOf(tx, scope, keys);
    if (keys.length === 0 && namespaces.length === 0) return commitOnly(hadCalls ? [] : null);
    for (const namespace of namespaces) await records.lockNamespace(tx, memoryId, namespace);
    await personalRows.eraseSessions(tx, scope, keys);
    const erased = await recordChanges.eraseSessions(tx, scope, keys);
    const closed = await erasure.closeSessions(tx, scope);
    // A session that was made since the first look has work of its own by now: all of it again.
    if (closed.length > keys.length) throw new Restart();
    const actorId = sessionId === null ? null : scope.actorId;
    const told = await tellRecords(this.deps, tx, { tenantId, memoryId, actorId }, erased, 'source_erased');
    const toldErasure = tellErasure(this.deps, scope, {
      target: sessionId === null ? 'actor' : 'session',
      sessionKeys: closed,
      position: null,
      withdrawnRecords: erased.withdrawn.length,
    });
    return { append: [...told, toldErasure], result: () => closed };
  }
}
