import type { LogEvent } from '@turnkeeper/domain';
import type { Transaction } from './transaction.port.js';

/** One actor's sessions in one memory, or one of them. */
export interface ErasureScope {
  readonly tenantId: string;
  readonly memoryId: string;
  readonly actorId: string;
  /** Null: every session of the actor. */
  readonly sessionId: string | null;
}

/**
 * Takes events out of the log. What was there leaves tombstones: the place, and never a word of it.
 *
 * Order within a transaction, so that transactions never wait for each other in a circle: `holdActors` and
 * `lockSessions` first, then the read models, then `closeSessions`, and the append last.
 */
export interface LogErasure {
  /**
   * Keeps erasures of these actors waiting until the transaction ends. For work that writes rows about an actor and then
   * appends to the actor's own stream: an erasure in between would purge the event and miss the rows.
   */
  holdActors(tx: Transaction, memoryId: string, actorIds: readonly string[]): Promise<void>;
  /**
   * Keeps others from noting work for these sessions until the transaction ends; for a whole actor, also waits for the
   * transactions that hold the actor. Gives the sessions' keys.
   */
  lockSessions(tx: Transaction, scope: ErasureScope): Promise<number[]>;
  /** Makes the sessions unreadable for good, from the commit on. Gives their keys. Their names may be used anew. */
  closeSessions(tx: Transaction, scope: ErasureScope): Promise<number[]>;
  eraseEvent(tx: Transaction, event: Pick<LogEvent, 'tenantId' | 'sessionKey' | 'eventId'>): Promise<void>;
  /** Extractions of a session that saw any of these sequences, in their window or before it. */
  extractionsOf(
    tx: Transaction,
    session: { readonly tenantId: string; readonly sessionKey: number },
    sequences: { readonly from: number; readonly through: number },
  ): Promise<LogEvent<'records.extracted' | 'extraction.answered'>[]>;
  /** Other accounts of records: those about the memory, about these actors, and in these sessions. */
  recordAccounts(
    tx: Transaction,
    place: {
      readonly tenantId: string;
      readonly memoryId: string;
      readonly actorIds: readonly string[];
      readonly sessionKeys: readonly number[];
    },
  ): Promise<LogEvent<'records.inserted' | 'records.carried_over' | 'record.corrected'>[]>;
  /** Puts a redacted body in the place of a derived event's; everything else of it stays. */
  redact(tx: Transaction, event: Pick<LogEvent, 'tenantId' | 'eventId'>, data: LogEvent['data']): Promise<void>;

  /** Deletes the events of closed sessions, in batches; of these, or of any. Resolves when none is left. */
  purgeSessions(sessionKeys: readonly number[] | null, signal?: AbortSignal): Promise<number>;
  /** Deletes what has expired, in batches. Resolves to the number of events. */
  purgeExpired(signal?: AbortSignal): Promise<number>;
  /** Deletes what deleted memories held, in batches. Resolves to the number of events. */
  purgeDeletedMemories(signal?: AbortSignal): Promise<number>;
  /** Gives changed expiries to older events, in batches; of this memory, or of any. */
  applyExpiry(memoryId: string | null, signal?: AbortSignal): Promise<void>;
  /**
   * Merges tombstones that are older than this into ranges, and forgets erased sessions whose tombstones are merged.
   * Sequences go on where they were. Resolves to the number of tombstones that were looked at.
   */
  mergeTombstones(days: number, signal?: AbortSignal): Promise<number>;
}
