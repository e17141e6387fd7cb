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
  /** Stores how far publishing has come. Never moves the stored position back. Rejects once the lease is lost. */
  advance(position: number): Promise<void>;
  /** Resolves when the lease is lost (connection gone); never rejects. */
  readonly lost: Promise<void>;
  /** Gives the lead up; another process may take it at once. Safe to call after the lease was lost. */
  release(): Promise<void>;
}
