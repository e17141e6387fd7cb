import type { EventType } from '@turnkeeper/domain';

/**
 * A pointer to an event of the log. It carries ids and no content, so that the broker never holds
 * what a person said and has nothing to erase.
 */
export interface EventReference {
  readonly position: number;
  readonly eventId: string;
  readonly type: EventType;
  /** The session's internal key; null outside of a session. */
  readonly sessionKey: number | null;
  readonly sequence: number | null;
}

/** A reference with the memory it belongs to: all that the relay reads of an event. */
export interface LogReference extends EventReference {
  readonly tenantId: string;
  readonly memoryId: string;
}

/** Reads the log for the relay without reading what people said: content stays in Postgres. */
export interface ReferenceReader {
  /** References with `position > after`, in position order; expired events are left out, so positions may skip. */
  readReferences(after: number, limit: number): Promise<LogReference[]>;
  /** The first position that was recorded within this time; one behind the log's head when there is none. */
  positionSince(ageMs: number): Promise<number>;
}

/** What is published: events of one memory that are neighbours in one page of the log. */
export interface EventNotice {
  readonly tenantId: string;
  readonly memoryId: string;
  readonly events: readonly EventReference[];
}

export interface EventPublisher {
  /** Publishes and waits for the broker's acknowledgement of every notice. Safe to repeat. */
  publish(notices: readonly EventNotice[]): Promise<void>;
}

/** Where the relay has got to, kept in Postgres. Only one relay holds it at a time. */
export interface RelayCursor {
  /** Takes the lead, or resolves to null when another process has it. */
  lead(): Promise<RelayLease | null>;
}

export interface RelayLease {
  /** The position stored when the lead was taken; 0 before the first publish. */
  readonly position: number;
  /**
   * Stores how far publishing has come. Never moves the stored position back. Rejects once the lease is lost.
   *
   * @param pageEnds last positions of the pages published since the last call, ascending
   */
  advance(position: number, pageEnds?: readonly number[]): Promise<void>;
  /** Resolves when the lease is lost (connection gone); never rejects. */
  readonly lost: Promise<void>;
  /** Gives the lead up; another process may take it at once. Safe to call after the lease was lost. */
  release(): Promise<void>;
}

/** What a stream looked like when it held all that was published. A difference is a reason to compare them again. */
export interface StreamMark {
  /** When the stream was made (ISO 8601). */
  readonly created: string;
  readonly firstSequence: number;
  readonly lastSequence: number;
  /** Messages missing between those two. */
  readonly deleted: number;
}

/** What was published so far, as Postgres knows it. Any process may ask. */
export interface PublishedLog {
  /** Everything up to here was published and acknowledged. */
  position(): Promise<number>;
  /** Ends of the pages published within (after, through], ascending. None where they were not kept. */
  pageEnds(after: number, through: number): Promise<readonly number[]>;
  mark(): Promise<StreamMark | null>;
  /** Stores the mark and forgets pages that were published longer ago than `keepMs`. */
  setMark(mark: StreamMark, keepMs: number): Promise<void>;
}

/** What a comparison of the broker's stream with the log came to. */
export interface ReconcileReport {
  /** Positions that were compared: from the oldest that the stream should still hold to the newest published. */
  readonly from: number;
  readonly through: number;
  /** Events of the log in that range. */
  readonly events: number;
  /** Those that no message of the stream told of. */
  readonly missing: number;
  /** Messages published again, under the ids that they had. */
  readonly republished: number;
  /** Of those, messages that the broker took for repeats because it still remembers the lost ones: tried again later. */
  readonly refused: number;
}

export interface StreamReconciler {
  /** Compares the stream with the log and publishes again what is missing. Rejects while the broker is away. */
  reconcile(): Promise<ReconcileReport>;
}
