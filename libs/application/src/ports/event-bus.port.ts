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
  readonly position: number;
  advance(position: number): Promise<void>;
  /** Resolves when the lease is lost (connection gone). */
  readonly lost: Promise<void>;
  release(): Promise<void>;
}
