import type { EventTime, KnownRecord, LogEvent, RecordSource, Strength } from '@turnkeeper/domain';
import type { TurnRanking } from '../recall/turn-search.port.js';
import type { Transaction } from '../shared/transaction.port.js';

export interface RecordView {
  readonly recordId: string;
  readonly memoryId: string;
  readonly namespace: string;
  readonly strategyId: string | null;
  readonly strategyVersion: number | null;
  readonly text: string;
  readonly extractor: string;
  readonly model: string | null;
  /** When it was last stated (ISO 8601). */
  readonly saidAt: string;
  /** The days it refers to, inclusive; null if the text names none. */
  readonly eventTime: EventTime | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Strength of a stated preference; null for other strategies. */
  readonly strength: Strength | null;
  /** Number of messages that state it. */
  readonly timesSeen: number;
  readonly sources: readonly RecordSource[];
  /** The record that is current instead; null if this one is current. */
  readonly supersededBy: string | null;
  /** When it stopped being true (ISO 8601); null if it is current. */
  readonly validTo: string | null;
}

export interface RecordHit extends RecordView {
  /** 0-1. From 0.5 on a record is considered an answer; below, it only shares words with the query. */
  readonly score: number;
}

export interface RecordStore {
  /** Locks the namespace until the transaction ends, so that no other transaction adds records to it. */
  lockNamespace(tx: Transaction, memoryId: string, namespace: string): Promise<void>;
  /**
   * Current records of the namespace that state one of these facts, fill one of these slots, or have one of these ids.
   */
  known(
    tx: Transaction,
    memoryId: string,
    namespace: string,
    wanted: {
      readonly factKeys: readonly string[];
      readonly slotKeys: readonly string[];
      readonly recordIds?: readonly string[];
    },
  ): Promise<KnownRecord[]>;
  /** Projects one `records.extracted` event. The rows are stamped with the event's `recordedAt`. */
  apply(tx: Transaction, event: Omit<LogEvent<'records.extracted'>, 'position'>): Promise<void>;
  /** Newest first. */
  list(tenantId: string, memoryId: string, namespace: string, limit: number): Promise<RecordView[]>;
  /** Actors whose conversations the newest records of the namespace are based on. */
  actorsOf(tenantId: string, memoryId: string, namespace: string): Promise<string[]>;
  /** Best first. */
  search(
    tenantId: string,
    memoryId: string,
    namespace: string,
    query: {
      readonly text: string;
      readonly limit: number;
      readonly scoreThreshold: number;
      /** Default false. */
      readonly includeSuperseded?: boolean;
      /** Scores of the turns that the records are based on. Without it, only the records' own text is scored. */
      readonly ranking?: TurnRanking;
    },
  ): Promise<RecordHit[]>;
}
