import type { MemoryStateCaptured, ReadWindow, SessionMemory } from '@turnkeeper/domain';
import type { MemoryScope, SessionScope } from '../log/event-store.port.js';
import type { Transaction } from '../shared/transaction.port.js';

export interface ActorScope extends MemoryScope {
  readonly actorId: string;
}

export interface RollingMemoryStore {
  /** The state that a client captured last in a session; null if none did. */
  lastCaptured(scope: SessionScope): Promise<MemoryStateCaptured | null>;
  /** Combined captured states of a session; locks the row until the transaction ends. */
  findForUpdate(tx: Transaction, scope: SessionScope): Promise<SessionMemory>;
  save(tx: Transaction, scope: SessionScope, memory: SessionMemory, at: string): Promise<void>;
  /** All sessions of an actor that captured something, in order of their start. */
  ofActor(scope: ActorScope): Promise<readonly SessionMemory[]>;
  /** The `k` texts that match the query best, best first. Texts without a common word are omitted. */
  rank(query: string, texts: readonly string[], k: number): Promise<readonly string[]>;
  /** Windows of a session read by a strategy with a summary, oldest first. */
  windows(scope: SessionScope, strategyId: string): Promise<readonly ReadWindow[]>;
  /** Ids of the actor's sessions that have events, most recently active first. */
  recentSessions(scope: ActorScope, limit: number): Promise<readonly string[]>;
}
