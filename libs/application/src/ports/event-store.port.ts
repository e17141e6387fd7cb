import type { AgentStatus, EventScope, EventType, LogEvent, NewEvent } from '@turnkeeper/domain';

/**
 * Events that belong together: all are stored, in this order and next to each other, or none is.
 * Either all of them take a session sequence or none does (`EVENT_TRAITS`); `memory.created` comes first.
 */
export interface AppendRequest extends EventScope {
  /** 1–1,000 events. */
  readonly events: readonly NewEvent[];
  /** Refuse unless the session's newest sequence is this; 0 for "no event yet". Absent: no check. */
  readonly expectedSequence?: number;
  /**
   * Hex SHA-256 of what the client sent. Given when the event ids come from an idempotency key: a request whose first
   * event id is stored already is answered with the first answer when the fingerprints agree, and refused otherwise.
   * Without one, the request is a repeat when its event ids and types agree with what is stored.
   */
  readonly fingerprint?: string;
  /**
   * The event ids were made for this request just now, which spares the look for an earlier one. Said of a repeat, nothing is
   * stored twice, but it may be refused (as stale, say) where it would have got the first answer. Default false.
   */
  readonly newIds?: boolean;
  /**
   * The agent that the events go through, with its status as it was read. The append itself refuses with
   * `AgentNotRunning` when the agent has ended by then; a repeat of a request that is stored is answered all the same.
   */
  readonly through?: { readonly agentId: string; readonly status: AgentStatus };
}

export interface Appended {
  readonly firstPosition: number;
  /** Null for events outside of a session. */
  readonly firstSequence: number | null;
  readonly count: number;
  /** By the database's clock (ISO 8601, ms). */
  readonly recordedAt: string;
  /** True when this is the answer to an earlier request with the same ids. */
  readonly duplicate: boolean;
}

export interface SessionScope {
  readonly tenantId: string;
  readonly memoryId: string;
  readonly actorId: string;
  readonly sessionId: string;
}

export interface SessionRead {
  /** Sequences greater than this. */
  readonly after?: number;
  /** Sequences lower than this. */
  readonly before?: number;
  readonly types?: readonly EventType[];
  readonly order: 'oldest-first' | 'newest-first';
  readonly limit: number;
  /** Where the events so far are this large (as JSON) the page ends: it has one event at least, and no second too many. */
  readonly maxBytes?: number;
  readonly offset?: number;
  /** Recorded or, where the client gave a time, occurred at or after / before (ISO 8601). */
  readonly from?: string;
  readonly to?: string;
}

/** A part of a session that is bounded by its size as well. */
export interface SessionPage {
  readonly events: readonly LogEvent[];
  /** How large the events are, as JSON. */
  readonly bytes: number;
  /** The page ended at its limit or its size: further events fit the read. */
  readonly more: boolean;
}

export interface LogPageRead {
  readonly limit: number;
  readonly maxBytes: number;
  readonly types?: readonly EventType[];
  /** None beyond this position. */
  readonly through?: number;
}

/** A part of the log that is bounded by its size as well. */
export interface LogPage {
  readonly events: readonly LogEvent[];
  /** The page ended at its limit or its size: further events may fit the read. */
  readonly more: boolean;
}

/**
 * The database did not answer in time. The request may or may not have been stored: sending it again with the same
 * event ids gives the first answer if it was.
 */
export class LogUnavailable extends Error {
  readonly code = 'log.unavailable';
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LogUnavailable';
  }
}

/** That something happened in a session, and no more of it. */
export interface EventOutline {
  readonly position: number;
  readonly sessionKey: number | null;
  readonly sequence: number | null;
  readonly type: EventType;
  /** A message of the end user. */
  readonly isUserTurn: boolean;
}

/**
 * The log. Event ids are unique within a tenant. Positions are dense and become visible in order, so `position > last` is a safe reader.
 *
 * `append` rejects with `MemoryNotFound` (no such memory of this tenant, or not open), `MemoryExists` (`memory.created`
 * for a memory that is there), `SequenceConflict`, `AgentNotRunning`, or `IdempotencyMismatch`; then nothing of the request is stored. It
 * rejects with `LogUnavailable` when the database cannot be reached. When it resolves, the events are durable.
 */
export interface EventStore {
  /** Appends through the group commit: requests in flight share a transaction. */
  append(request: AppendRequest): Promise<Appended>;
  /**
   * Events with `position > after`, in position order; expired ones are left out, so positions may skip.
   *
   * @param types only these; default: all
   * @param through none beyond this position; without it, few events of the types asked for mean a long way to the next
   */
  readLog(after: number, limit: number, types?: readonly EventType[], through?: number): Promise<LogEvent[]>;
  /**
   * The same, ending with the event that brings the page to `maxBytes` of JSON. At least one event, if one fits the read.
   * For readers of bodies: a thousand of the largest events are more than a process holds.
   */
  readLogPage(after: number, read: LogPageRead): Promise<LogPage>;
  /**
   * Events of all types with `position > after`, in position order, without what they say; expired ones are left out.
   * Those of sessions and memories that are gone may be among them until they are purged.
   */
  readOutline(after: number, limit: number): Promise<EventOutline[]>;
  /** The newest position; 0 for an empty log. */
  headPosition(): Promise<number>;
  readSession(scope: SessionScope, read: SessionRead): Promise<LogEvent[]>;
  /** The same, and whether it goes on behind it. */
  readSessionPage(scope: SessionScope, read: SessionRead & { readonly maxBytes: number }): Promise<SessionPage>;
  countSession(scope: SessionScope, read: Pick<SessionRead, 'types' | 'from' | 'to'>): Promise<number>;
  /** The newest sequence of a session; 0 when it has no event. */
  sessionSequence(scope: SessionScope): Promise<number>;
}
