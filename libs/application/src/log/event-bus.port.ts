import type { EventType } from '@turnkeeper/domain';
import type { MemoryScope } from './event-store.port.js';

/**
 * A reference to an event of the log. It carries ids only, so the broker never stores conversation content and needs no
 * erasure.
 */
export interface EventReference {
  readonly position: number;
  readonly eventId: string;
  readonly type: EventType;
  /** The session's internal key; null for events outside a session. */
  readonly sessionKey: number | null;
  readonly sequence: number | null;
}

/** A reference with its tenant and memory; this is all the relay reads of an event. */
export interface LogReference extends EventReference {
  readonly tenantId: string;
  readonly memoryId: string;
}

/** Reads event references for the relay without their content, which stays in Postgres. */
export interface ReferenceReader {
  /** References with `position > after`, in position order. Expired events are omitted, so positions may have gaps. */
  readReferences(after: number, limit: number): Promise<LogReference[]>;
  /** The first position recorded within the last `ageMs` milliseconds; head + 1 if there is none. */
  positionSince(ageMs: number): Promise<number>;
}

/** The published message: adjacent events of one memory within one page of the log. */
export interface EventNotice extends MemoryScope {
  readonly events: readonly EventReference[];
  /** The trace to continue (W3C), if one of the events belongs to a traced request. */
  readonly traceparent?: string;
}

export interface EventPublisher {
  /** Publishes and waits until the broker has acknowledged every notice. Idempotent. */
  publish(notices: readonly EventNotice[]): Promise<void>;
}

/** The relay's position, stored in Postgres. Only one relay holds the lease at a time. */
export interface RelayCursor {
  /** Acquires leadership; resolves to null if another process holds it. */
  lead(): Promise<RelayLease | null>;
}

export interface RelayLease {
  /** The position stored when leadership was acquired; 0 before the first publish. */
  readonly position: number;
  /**
   * Stores the published position. Never moves it back. Rejects once the lease is lost.
   * @param pageEnds last positions of the pages published since the last call, ascending
   */
  advance(position: number, pageEnds?: readonly number[]): Promise<void>;
  /** Resolves when the lease is lost (connection gone); never rejects. */
  readonly lost: Promise<void>;
  /** Releases leadership; another process may acquire it immediately. Safe to call after the lease was lost. */
  release(): Promise<void>;
}

/** State of a stream when it contained everything published. If the stream differs, it must be reconciled. */
export interface StreamMark {
  /** When the stream was created (ISO 8601). */
  readonly created: string;
  readonly firstSequence: number;
  readonly lastSequence: number;
  /** Messages missing between the two. */
  readonly deleted: number;
}

/** What has been published, according to Postgres. Callable by any process. */
export interface PublishedLog {
  /** Everything up to this position was published and acknowledged. */
  position(): Promise<number>;
  /** Ends of the pages published within (after, through], ascending. Empty if they were not stored. */
  pageEnds(after: number, through: number): Promise<readonly number[]>;
  mark(): Promise<StreamMark | null>;
  /** Stores the mark and deletes page ends published more than `keepMs` ago. */
  setMark(mark: StreamMark, keepMs: number): Promise<void>;
}

/** Result of comparing the broker's stream with the log. */
export interface ReconcileReport {
  /** Compared range of positions: from the oldest one that the stream should still hold to the newest published. */
  readonly from: number;
  readonly through: number;
  /** Events of the log in that range. */
  readonly events: number;
  /** Events of that range that are in no message of the stream. */
  readonly missing: number;
  /** Messages published again under their original ids. */
  readonly republished: number;
  /**
   * Republished messages that the broker rejected as duplicates, because the lost ones are still in its deduplication
   * window. They are retried later.
   */
  readonly refused: number;
}
