import type { RecordSnapshot } from '@turnkeeper/domain';
import type { ErasureScope } from '../erasure/log-erasure.port.js';
import type { RecordView } from './record-store.port.js';
import type { Transaction } from '../shared/transaction.port.js';

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

export interface NamespaceScope {
  readonly tenantId: string;
  readonly memoryId: string;
  readonly namespace: string;
}

/** Filters for listing records. Absent fields do not filter. */
export interface RecordFilter {
  readonly namespace?: string | undefined;
  readonly strategyId?: string | undefined;
  readonly actorId?: string | undefined;
  /** Records based on this event. */
  readonly sourceEventId?: string | undefined;
  /** By creation time; start and end are inclusive (ISO 8601). */
  readonly createdFrom?: string | undefined;
  readonly createdTo?: string | undefined;
  readonly includeSuperseded: boolean;
  /** Last record of the previous page. */
  readonly after?: string | undefined;
  readonly limit: number;
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
}

/**
 * Manual changes of records and their reversal. Callers must hold the namespace's lock (`RecordStore.lockNamespace`).
 */
export interface RecordChanges {
  find(tenantId: string, memoryId: string, recordId: string): Promise<RecordView | null>;
  /** Newest first. */
  list(tenantId: string, memoryId: string, filter: RecordFilter): Promise<RecordView[]>;
  count(tenantId: string, memoryId: string): Promise<{ readonly current: number; readonly superseded: number }>;
  /** Full records, including superseded ones, ordered by id, starting after `after`. */
  snapshotsAfter(tenantId: string, memoryId: string, after: string | null, limit: number): Promise<RecordSnapshot[]>;
  /** The record's namespace; null if there is no such record. Read before `hold`, which needs the namespace's lock. */
  namespaceOf(tx: Transaction, tenantId: string, memoryId: string, recordId: string): Promise<string | null>;
  /** Locks the record until the transaction ends. */
  hold(tx: Transaction, tenantId: string, memoryId: string, recordId: string): Promise<HeldRecord | null>;
  /** Ids of current records of the namespace with these facts, by fact key. */
  current(tx: Transaction, scope: NamespaceScope, factKeys: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Upserts full records. */
  save(
    tx: Transaction,
    origin: {
      readonly tenantId: string;
      readonly memoryId: string;
      readonly eventId: string;
      readonly sessionKey: number | null;
    },
    records: readonly RecordSnapshot[],
  ): Promise<void>;
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
}
