import type { RollingWindow, SessionMemory } from '@turnkeeper/domain';
import type { SessionScope } from './event-store.port.js';
import type { Transaction } from './transaction.port.js';

export interface ActorScope {
  readonly tenantId: string;
  readonly memoryId: string;
  readonly actorId: string;
}

export interface RollingMemoryStore {
  /** What a session's captured states add up to, locked until the transaction ends. */
  findForUpdate(tx: Transaction, scope: SessionScope): Promise<SessionMemory>;
  save(tx: Transaction, scope: SessionScope, memory: SessionMemory, at: string): Promise<void>;
  /** Every session of an actor that captured something, the one that began first first. */
  ofActor(scope: ActorScope): Promise<readonly SessionMemory[]>;
  /** Texts of the actor's current records over all namespaces, oldest first, at most `limit`. */
  recordTexts(scope: ActorScope, limit: number): Promise<readonly string[]>;
  /** The `k` texts that fit the query best, best first; fewer when fewer share a word with it. */
  rank(query: string, texts: readonly string[], k: number): Promise<readonly string[]>;
  /** What a SUMMARY strategy has read of a session, window by window, oldest first. */
  windows(scope: SessionScope, strategyId: string): Promise<readonly RollingWindow[]>;
  /** Ids of the actor's sessions that have events, the one with the newest event first. */
  recentSessions(scope: ActorScope, limit: number): Promise<readonly string[]>;
}
