import type { EventTime, KnownRecord, LogEvent, RecordSource, Strength } from '@turnkeeper/domain';
import type { TurnRanking } from './turn-search.port.js';
import type { Transaction } from './transaction.port.js';

export interface RecordView {
  readonly recordId: string;
  readonly memoryId: string;
  readonly namespace: string;
  readonly strategyId: string | null;
  readonly strategyVersion: number | null;
  readonly text: string;
  readonly extractor: string;
  readonly model: string | null;
  /** When it was last said (ISO 8601). */
  readonly saidAt: string;
  /** The days it speaks of, both included; null where its words tell none. */
  readonly eventTime: EventTime | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** How strongly it states a preference; null for records of other strategies. */
  readonly strength: Strength | null;
  /** How many messages say it. */
  readonly timesSeen: number;
  readonly sources: readonly RecordSource[];
  /** The record whose value is true now; null for one that is current. */
  readonly supersededBy: string | null;
  /** Since when it is not true any more (ISO 8601); null for one that is current. */
  readonly validTo: string | null;
}

export interface RecordHit extends RecordView {
  /** 0-1; 0.5 separates what answers the query from what only shares words with it. */
  readonly score: number;
}

export interface RecordStore {
  /** Makes the transaction the only one that adds records to this namespace until it ends. */
  lockNamespace(tx: Transaction, memoryId: string, namespace: string): Promise<void>;
  /**
   * Records of the namespace that are not superseded and state one of these facts, fill one of these slots, or have one
   * of these ids.
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
  /** Projects one `records.extracted` event. `recordedAt` of the event stamps the rows. */
  apply(tx: Transaction, event: Omit<LogEvent<'records.extracted'>, 'position'>): Promise<void>;
  /** Newest first. */
  list(tenantId: string, memoryId: string, namespace: string, limit: number): Promise<RecordView[]>;
  /** Whose conversations the newest records of the namespace rest on. */
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
      /** What the turns that records rest on say to the query; absent: records' own words alone. */
      readonly ranking?: TurnRanking;
    },
  ): Promise<RecordHit[]>;
}
