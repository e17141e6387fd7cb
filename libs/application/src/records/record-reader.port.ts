import type {
  AttributeValue,
  Doubt,
  EventTime,
  OutputData,
  RecordCategory,
  RecordSnapshot,
  RecordSource,
  Strength,
} from '@turnkeeper/domain';
import type { TurnRanking } from '../recall/turn-search.port.js';
import type { SourcePlace } from './provenance.port.js';

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
  /** Null for an inserted record, and for those of releases that had none. */
  readonly category: RecordCategory | null;
  /** Whom or what it is about, as named in the conversation; null: the actor. */
  readonly subject: string | null;
  /** The typed value that it states; null if it states none. */
  readonly attribute: AttributeValue | null;
  /** Strength of a stated preference; null if unknown. */
  readonly strength: Strength | null;
  /** What the output schema of its CUSTOM strategy asks for; null if there is none. */
  readonly data: OutputData | null;
  /** What could not be verified. */
  readonly doubts: readonly Doubt[];
  /** Number of messages that state it. */
  readonly timesSeen: number;
  readonly sources: readonly RecordSource[];
  /** The record that is current instead; null if this one is current. */
  readonly supersededBy: string | null;
  /** When it stopped being true (ISO 8601); null if it is current. */
  readonly validTo: string | null;
}

export interface RecordHit extends RecordView {
  /** 0-1: how well it answers by its own text, its quotes and the question that it answers. From 0.5 on it is considered an answer. */
  readonly score: number;
  readonly foundBy: FoundBy;
}

/** What led to a record. */
export interface FoundBy {
  /** Share of the question's words in the record and its quotes, 0-1. */
  readonly words: number;
  /** Similarity of meaning, at most 1; null without vectors. */
  readonly meaning: number | null;
  /** Score of the turns that it is based on, with their neighbours, 0-1. */
  readonly turns: number;
}

export interface RecordQuery {
  readonly text: string;
  readonly limit: number;
  readonly scoreThreshold: number;
  /** Default false. */
  readonly includeSuperseded?: boolean;
  readonly conditions?: RecordConditions | undefined;
  /** Opens the turns of the actors that the records are about. Without it, only the records' own text is scored. */
  readonly turns?: ((actorIds: readonly string[]) => Promise<RankableTurns>) | undefined;
}

/** Turns that are ranked while the records are searched by their own words. */
export interface RankableTurns {
  /** Lower-case names of the speakers. */
  readonly speakers: readonly string[];
  rank(): Promise<TurnRanking>;
}

type SourceMetadata = Readonly<Record<string, string | number | boolean>>;

/** What records are restricted to, in a list and in a search. Absent fields do not restrict. */
export interface RecordConditions {
  readonly strategyId?: string | undefined;
  readonly category?: RecordCategory | undefined;
  /** Name of the attribute that it states. */
  readonly attribute?: string | undefined;
  /** Whom it is about, whatever the case of the letters. */
  readonly subject?: string | undefined;
  /** Session of one of its sources. */
  readonly sourceSessionId?: string | undefined;
  /** One of its sources. */
  readonly sourceEventId?: string | undefined;
  /** What the metadata of one of its sources has; values are compared as text. */
  readonly sourceMetadata?: SourceMetadata | undefined;
  /** When it was last stated; start and end are inclusive (ISO 8601). */
  readonly saidFrom?: string | undefined;
  readonly saidTo?: string | undefined;
  /** When it was created; start and end are inclusive (ISO 8601). */
  readonly createdFrom?: string | undefined;
  readonly createdTo?: string | undefined;
  /** Days (ISO 8601), of which it refers to at least one. */
  readonly eventTimeFrom?: string | undefined;
  readonly eventTimeTo?: string | undefined;
}

/** Filters for listing records. Absent fields do not filter. */
export interface RecordFilter extends RecordConditions {
  readonly namespace?: string | undefined;
  readonly actorId?: string | undefined;
  readonly includeSuperseded: boolean;
  /** Last record of the previous page. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** One record in a chain of supersessions. */
export interface LineageLink extends Pick<RecordView, 'recordId' | 'text' | 'supersededBy' | 'validTo'> {
  readonly statedAt: string;
}

/** A record with its provenance according to the read models. */
export interface RecordLineage {
  readonly record: RecordView;
  readonly actorId: string | null;
  readonly statedAt: string;
  readonly places: readonly SourcePlace[];
  /** Sessions that this record, or one in its supersession chain, was extracted from or is based on. */
  readonly sessionKeys: readonly number[];
  /** Records that it superseded, directly or transitively; newest first. */
  readonly supersedes: readonly LineageLink[];
  /** The record that superseded it, the one that superseded that, and so on. */
  readonly supersededBy: readonly LineageLink[];
}

/** Reads records outside of transactions. */
export interface RecordReader {
  find(tenantId: string, memoryId: string, recordId: string): Promise<RecordView | null>;
  /** Newest first. */
  list(tenantId: string, memoryId: string, filter: RecordFilter): Promise<RecordView[]>;
  /** Current records of the namespace, the one stated last first. */
  newest(tenantId: string, memoryId: string, namespace: string, limit: number): Promise<RecordView[]>;
  /** Current records of the actor that state an attribute, the one stated last first. */
  attributesOfActor(tenantId: string, memoryId: string, actorId: string, limit: number): Promise<RecordView[]>;
  /**
   * Current preferences, plans and requests in a namespace of the actor: the newest of each of the three categories, and
   * those of others whom the actor told about. First the newest ones of all, then the second ones.
   */
  statesOfActor(
    tenantId: string,
    memoryId: string,
    actorId: string,
    namespace: string,
    each: { readonly actor: number; readonly others: number },
  ): Promise<RecordView[]>;
  /**
   * For events that superseded records of the namespaces rest on: the current records that took their place, by event.
   */
  successors(
    tenantId: string,
    memoryId: string,
    namespaces: readonly string[],
    eventIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly Pick<RecordView, 'text' | 'attribute'>[]>>;
  /** Current records of the actor in all namespaces, the one stated last first. */
  newestOfActor(tenantId: string, memoryId: string, actorId: string, limit: number): Promise<RecordView[]>;
  /** Best first. */
  search(tenantId: string, memoryId: string, namespace: string, query: RecordQuery): Promise<RecordHit[]>;
  count(tenantId: string, memoryId: string): Promise<{ readonly current: number; readonly superseded: number }>;
  /** Full records, including superseded ones, ordered by id, starting after `after`. */
  snapshotsAfter(tenantId: string, memoryId: string, after: string | null, limit: number): Promise<RecordSnapshot[]>;
  lineage(tenantId: string, memoryId: string, recordId: string): Promise<RecordLineage | null>;
}
