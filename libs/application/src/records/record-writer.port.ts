import type { KnownRecord, LogEvent, RecordSnapshot } from '@turnkeeper/domain';
import type { ErasureScope } from '../erasure/log-erasure.port.js';
import type { Transaction } from '../shared/transaction.port.js';
import type { MemoryScope } from '../log/event-store.port.js';

/** A record with the data that a change needs. */
export interface HeldRecord extends RecordSnapshot {
  /** The event that created it. */
  readonly madeBy: string;
  /** Session it was extracted from; null if it was inserted or carried over. */
  readonly sessionKey: number | null;
  /** Null without a session. */
  readonly sessionId: string | null;
  /** Sessions and sequences of its sources. */
  readonly sourcePlaces: readonly { readonly sessionKey: number; readonly sequence: number }[];
}

export interface NamespaceScope extends MemoryScope {
  readonly namespace: string;
}

/** The facts, slots and ids of records to look up. */
export interface WantedRecords {
  readonly factKeys: readonly string[];
  readonly slotKeys: readonly string[];
  readonly recordIds?: readonly string[];
}

/** What full records are written for. */
export interface RecordOrigin extends MemoryScope {
  readonly eventId: string;
  readonly sessionKey: number | null;
}

/** Effect of an erasure of sources on records. */
export interface ErasedSources {
  /** Ids of records that had no other sources. */
  readonly withdrawn: readonly string[];
  /**
   * Changed records that remain: they have other sources, are superseded by a record that has, or their supersession
   * changed.
   */
  readonly survivors: readonly RecordSnapshot[];
  /** Ids of the events that last wrote these records as a whole. They may be in streams of other actors. */
  readonly accounts: readonly string[];
  /** Owners of withdrawn records. Corrections of the records may be in their own streams. */
  readonly owners: readonly string[];
  /** Owners of withdrawn records that an erasure separated from their session. It may contain corrections of them. */
  readonly ownersInSessions: readonly string[];
}

/**
 * Changes records, and reads them for a change. Callers that change a record must hold the lock of its namespace
 * (`lockNamespace`).
 */
export interface RecordWriter {
  /** Locks the namespace until the transaction ends, so that no other transaction adds records to it. */
  lockNamespace(tx: Transaction, memoryId: string, namespace: string): Promise<void>;
  /**
   * Current records of the namespace that state one of these facts, fill one of these slots, or have one of these ids.
   */
  known(tx: Transaction, memoryId: string, namespace: string, wanted: WantedRecords): Promise<KnownRecord[]>;
  /** Projects one `records.extracted` event. The rows are stamped with the event's `recordedAt`. */
  apply(tx: Transaction, event: Omit<LogEvent<'records.extracted'>, 'position'>): Promise<void>;
  /** The record's namespace; null if there is no such record. Read before `hold`, which needs the namespace's lock. */
  namespaceOf(tx: Transaction, tenantId: string, memoryId: string, recordId: string): Promise<string | null>;
  /** Locks the record until the transaction ends. */
  hold(tx: Transaction, tenantId: string, memoryId: string, recordId: string): Promise<HeldRecord | null>;
  /** Ids of current records of the namespace with these facts, by fact key. */
  current(tx: Transaction, scope: NamespaceScope, factKeys: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Upserts full records. */
  save(tx: Transaction, origin: RecordOrigin, records: readonly RecordSnapshot[]): Promise<void>;
  /** Rejects with `RecordExists` if a current record of the namespace states the same fact. */
  correct(tx: Transaction, tenantId: string, recordId: string, text: string, recordedAt: string): Promise<void>;
  /** Clears the record's supersession. Rejects with `RecordExists` if a current record states the same fact. */
  makeCurrent(tx: Transaction, tenantId: string, recordId: string, recordedAt: string): Promise<void>;
  /** Deletes records; missing ones are ignored. */
  remove(tx: Transaction, tenantId: string, recordIds: readonly string[]): Promise<void>;
  /** Deletes records. Those they superseded become superseded by their successor, or current if there is none. */
  withdraw(tx: Transaction, tenantId: string, recordIds: readonly string[]): Promise<ErasedSources>;

  /** Namespaces with records affected by the erasure of these sessions, in a stable order. */
  namespacesOf(tx: Transaction, scope: ErasureScope, sessionKeys: readonly number[]): Promise<string[]>;
  /** Erases everything based on these sessions. */
  eraseSessions(tx: Transaction, scope: ErasureScope, sessionKeys: readonly number[]): Promise<ErasedSources>;
  /** Like `namespacesOf`, for one event. */
  namespacesOfEvent(tx: Transaction, tenantId: string, eventId: string): Promise<string[]>;
  eraseEvent(tx: Transaction, tenantId: string, eventId: string): Promise<ErasedSources>;
  /**
   * Removes sources whose quote was not heard, and withdraws the records that none of their other sources states.
   *
   * @param heard what was heard of messages of the session, by their event ids
   */
  removeUnheard(
    tx: Transaction,
    session: { readonly tenantId: string; readonly sessionKey: number },
    heard: ReadonlyMap<string, string>,
  ): Promise<ErasedSources>;
}
