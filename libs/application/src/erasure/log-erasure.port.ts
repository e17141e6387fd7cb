import type { LogEvent } from '@turnkeeper/domain';
import type { Transaction } from '../shared/transaction.port.js';
import type { MemoryScope } from '../log/event-store.port.js';

/** All sessions of one actor in one memory, or one of them. */
export interface ErasureScope extends MemoryScope {
  readonly actorId: string;
  /** Null for all sessions of the actor. */
  readonly sessionId: string | null;
}

/**
 * Erases events from the log and leaves tombstones, which hold the position and no content.
 *
 * Lock order within a transaction, to avoid deadlocks: `holdActors` and `lockSessions` first, then the read models,
 * then `closeSessions`, and the append last.
 */
export interface LogErasure {
  /**
   * Blocks erasures of these actors until the transaction ends. Needed by work that writes rows about an actor and then
   * appends to the actor's own stream: an erasure in between would purge the event and miss the rows.
   */
  holdActors(tx: Transaction, memoryId: string, actorIds: readonly string[]): Promise<void>;
  /**
   * Locks these sessions against new work until the transaction ends. For a whole actor, also waits for transactions
   * that hold the actor. Resolves to the session keys.
   */
  lockSessions(tx: Transaction, scope: ErasureScope): Promise<number[]>;
  /**
   * Makes the sessions permanently unreadable from the commit on. Resolves to their keys. Their names can be reused.
   */
  closeSessions(tx: Transaction, scope: ErasureScope): Promise<number[]>;
  eraseEvent(tx: Transaction, event: Pick<LogEvent, 'tenantId' | 'sessionKey' | 'eventId'>): Promise<void>;
  /** Extractions of a session that read any of these sequences, in their window or as context. */
  extractionsOf(
    tx: Transaction,
    session: { readonly tenantId: string; readonly sessionKey: number },
    sequences: { readonly from: number; readonly through: number },
  ): Promise<LogEvent<'records.extracted' | 'extraction.answered'>[]>;
  /**
   * Other events about records: those of the memory, of these actors' own streams, of all sessions of
   * `actorIdsInSessions` and of these sessions, and those with these ids.
   */
  recordAccounts(
    tx: Transaction,
    place: {
      readonly tenantId: string;
      readonly memoryId: string;
      readonly actorIds: readonly string[];
      readonly actorIdsInSessions: readonly string[];
      readonly sessionKeys: readonly number[];
      readonly eventIds: readonly string[];
    },
  ): Promise<LogEvent<'records.inserted' | 'records.carried_over' | 'record.corrected'>[]>;
  /** Replaces the body of a derived event with a redacted one; its other fields are unchanged. */
  redact(tx: Transaction, event: Pick<LogEvent, 'tenantId' | 'eventId'>, data: LogEvent['data']): Promise<void>;

  /**
   * Deletes the events of closed sessions in batches; null for all closed sessions. Resolves to the number of events.
   */
  purgeSessions(sessionKeys: readonly number[] | null, signal?: AbortSignal): Promise<number>;
  /** Deletes expired events in batches. Resolves to their number. */
  purgeExpired(signal?: AbortSignal): Promise<number>;
  /** Deletes the events of deleted memories in batches. Resolves to their number. */
  purgeDeletedMemories(signal?: AbortSignal): Promise<number>;
  /** Applies a changed retention to existing events in batches; null for all memories. */
  applyExpiry(memoryId: string | null, signal?: AbortSignal): Promise<void>;
  /**
   * Merges tombstones older than `days` into ranges, and deletes erased sessions whose tombstones are all merged, and
   * ids of erased messages that would have expired.
   * Sequence numbers continue where they were. Resolves to the number of tombstones examined.
   */
  mergeTombstones(days: number, signal?: AbortSignal): Promise<number>;
}
