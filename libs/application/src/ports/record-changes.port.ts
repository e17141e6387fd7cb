import type { RecordSnapshot } from '@turnkeeper/domain';
import type { ErasureScope } from './log-erasure.port.js';
import type { RecordView } from './record-store.port.js';
import type { Transaction } from './transaction.port.js';

/** A record as a change needs it. */
export interface HeldRecord extends RecordSnapshot {
  /** The log event that made it. */
  readonly madeBy: string;
  /** The session it was made from; null for one that was stated or carried over. */
  readonly sessionKey: number | null;
  /** The session's name; null without a session. */
  readonly sessionId: string | null;
  /** Sessions that its sources are in, with the sequences. */
  readonly sourcePlaces: readonly { readonly sessionKey: number; readonly sequence: number }[];
}

export interface NamespaceScope {
  readonly tenantId: string;
  readonly memoryId: string;
  readonly namespace: string;
}

/** Which records a listing gives; absent fields do not narrow it. */
export interface RecordFilter {
  readonly namespace?: string | undefined;
  readonly strategyId?: string | undefined;
  readonly actorId?: string | undefined;
  /** Records that rest on this event. */
  readonly sourceEventId?: string | undefined;
  /** Made at or after / before (ISO 8601). */
  readonly createdFrom?: string | undefined;
  readonly createdTo?: string | undefined;
  readonly includeSuperseded: boolean;
  /** The last record of the page before. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** What the erasure of sources did to records. */
export interface ErasedSources {
  /** Ids: nothing that they rested on is left. */
  readonly withdrawn: readonly string[];
  /** They rest on something else as well, or are superseded by one that does, or superseding changed for them. */
  readonly survivors: readonly RecordSnapshot[];
}

/** Changes records by hand, and takes them back. Callers hold the namespace's lock (`RecordStore.lockNamespace`). */
export interface RecordChanges {
  find(tenantId: string, memoryId: string, recordId: string): Promise<RecordView | null>;
  /** Newest first. */
  list(tenantId: string, memoryId: string, filter: RecordFilter): Promise<RecordView[]>;
  count(tenantId: string, memoryId: string): Promise<{ readonly current: number; readonly superseded: number }>;
  /** Whole records, superseded ones included, by id: those after this one. */
  snapshotsAfter(tenantId: string, memoryId: string, after: string | null, limit: number): Promise<RecordSnapshot[]>;
  /** Where a record is filed; null when it is not there. Read before `hold`, which needs the namespace's lock. */
  namespaceOf(tx: Transaction, tenantId: string, memoryId: string, recordId: string): Promise<string | null>;
  /** Locked until the transaction ends. */
  hold(tx: Transaction, tenantId: string, memoryId: string, recordId: string): Promise<HeldRecord | null>;
  /** Ids of current records of the namespace that state one of these facts, by fact key. */
  current(tx: Transaction, scope: NamespaceScope, factKeys: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Writes records whole; one that is there is replaced. */
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
  /** Rejects with `RecordExists` when a current record of the namespace states this fact. */
  correct(tx: Transaction, tenantId: string, recordId: string, text: string, recordedAt: string): Promise<void>;
  /** Takes back what supersedes the record. Rejects with `RecordExists` when a current record states its fact. */
  makeCurrent(tx: Transaction, tenantId: string, recordId: string, recordedAt: string): Promise<void>;
  /** Deletes records, as far as they are there. */
  remove(tx: Transaction, tenantId: string, recordIds: readonly string[]): Promise<void>;
  /** Deletes records. What they had superseded is superseded by whatever superseded them, or current again. */
  withdraw(tx: Transaction, tenantId: string, recordIds: readonly string[]): Promise<ErasedSources>;

  /** Namespaces of records that are concerned when these sessions are erased, in a stable order. */
  namespacesOf(tx: Transaction, scope: ErasureScope, sessionKeys: readonly number[]): Promise<string[]>;
  /** Takes away everything that rests on these sessions. */
  eraseSessions(tx: Transaction, scope: ErasureScope, sessionKeys: readonly number[]): Promise<ErasedSources>;
  /** The same for one event. */
  namespacesOfEvent(tx: Transaction, tenantId: string, eventId: string): Promise<string[]>;
  eraseEvent(tx: Transaction, tenantId: string, eventId: string): Promise<ErasedSources>;
}
