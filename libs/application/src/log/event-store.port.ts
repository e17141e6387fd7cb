import type { AgentStatus, EventScope, EventType, LogEvent, NewEvent } from '@turnkeeper/domain';

/**
 * Events appended atomically: all are stored contiguously in this order, or none is. Either all of them take a session
 * sequence or none does (`EVENT_TRAITS`). `memory.created` must come first.
 */
export interface AppendRequest extends EventScope {
  /** 1–1,000 events. */
  readonly events: readonly NewEvent[];
  /** Rejects unless this is the session's newest sequence; 0 for an empty session. Default: no check. */
  readonly expectedSequence?: number;
  /**
   * Hex SHA-256 of the client's request. Set if the event ids are derived from an idempotency key: if the first event
   * id is already stored, the original answer is returned when the fingerprints match, and the request is rejected
   * otherwise. Without a fingerprint, a request is a repeat if its event ids and types match the stored events.
   */
  readonly fingerprint?: string;
  /**
   * The event ids were just generated for this request, so the lookup of an earlier request is skipped. If set on a
   * repeat, nothing is stored twice, but the repeat may be rejected (e.g. as stale) instead of returning the original
   * answer. Default: false.
   */
  readonly newIds?: boolean;
  /**
   * The agent that appends the events, with its status as read before. The append rejects with `AgentNotRunning` if the
   * agent has ended since. A repeat of a stored request still returns the original answer.
   */
  readonly through?: { readonly agentId: string; readonly status: AgentStatus };
}

export interface Appended {
  readonly firstPosition: number;
  /** Null for events outside a session. */
  readonly firstSequence: number | null;
  readonly count: number;
  /** By the database's clock (ISO 8601, ms). */
  readonly recordedAt: string;
  /** True if an earlier request with the same ids was already stored and this is its answer. */
  readonly duplicate: boolean;
}

/** A memory and its tenant. */
export interface MemoryScope {
  readonly tenantId: string;
  readonly memoryId: string;
}

export interface SessionScope extends MemoryScope {
  readonly actorId: string;
  readonly sessionId: string;
}

/** Narrows a value that names a session to its scope. */
export const scopeOf = ({ tenantId, memoryId, actorId, sessionId }: SessionScope): SessionScope => ({
  tenantId,
  memoryId,
  actorId,
  sessionId,
});

export interface SessionRead {
  /** Exclusive lower bound of the sequence. */
  readonly after?: number;
  /** Exclusive upper bound of the sequence. */
  readonly before?: number;
  readonly types?: readonly EventType[];
  readonly order: 'oldest-first' | 'newest-first';
  readonly limit: number;
  /** The page ends with the event that reaches this size (JSON bytes). It always contains at least one event. */
  readonly maxBytes?: number;
  readonly offset?: number;
  /** By client time if given, else by recording time; start and end are inclusive (ISO 8601). */
  readonly from?: string;
  readonly to?: string;
  /** Messages as they were appended, although they were interrupted later. Default: as they were heard. */
  readonly asAppended?: boolean;
}

/** A page of a session, bounded by count and size. */
export interface SessionPage {
  readonly events: readonly LogEvent[];
  /** Size of the events as JSON. */
  readonly bytes: number;
  /** The page ended at its limit or size; more events match. */
  readonly more: boolean;
}

export interface LogPageRead {
  readonly limit: number;
  readonly maxBytes: number;
  readonly types?: readonly EventType[];
  /** Inclusive upper bound of the position. */
  readonly through?: number;
}

/** A page of the log, bounded by count and size. */
export interface LogPage {
  readonly events: readonly LogEvent[];
  /** The page ended at its limit or size; more events may match. */
  readonly more: boolean;
}

/**
 * The database did not answer in time, so the request may or may not be stored. Retrying with the same event ids is
 * safe: it returns the original answer if the request was stored.
 */
export class LogUnavailable extends Error {
  readonly code = 'log.unavailable';
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LogUnavailable';
  }
}

/** An event of a session without its content. */
export interface EventOutline {
  readonly position: number;
  readonly sessionKey: number | null;
  readonly sequence: number | null;
  readonly type: EventType;
  /** True for a message of the end user. */
  readonly isUserTurn: boolean;
}

/**
 * The event log. Event ids are unique within a tenant. Positions have no gaps when assigned and become visible in
 * order, so a reader may safely poll `position > last`.
 *
 * `append` rejects with `MemoryNotFound` (the tenant has no such memory, or it is not open), `MemoryExists`
 * (`memory.created` for an existing memory), `SequenceConflict`, `AgentNotRunning`, `IdempotencyMismatch` or
 * `RepeatOfErased` (a message of the request was stored and erased); then nothing of the request is stored. It rejects with `LogUnavailable` if the database cannot be reached. When it
 * resolves, the events are durable.
 */
export interface EventStore {
  /** Appends with group commit: concurrent requests share a transaction. */
  append(request: AppendRequest): Promise<Appended>;
  /**
   * Events with `position > after`, in position order. Expired events are omitted, so positions may have gaps.
   *
   * @param types only these types; default: all
   * @param through inclusive upper bound of the position; without it, finding rare types may scan a long range
   */
  readLog(after: number, limit: number, types?: readonly EventType[], through?: number): Promise<LogEvent[]>;
  /**
   * Like `readLog`, but the page ends with the event that reaches `maxBytes` of JSON. Contains at least one event if
   * any matches. For readers of event bodies: a thousand events of maximum size do not fit in memory.
   */
  readLogPage(after: number, read: LogPageRead): Promise<LogPage>;
  /**
   * Events of all types with `position > after`, in position order, without content. Expired events are omitted. Events
   * of erased sessions and deleted memories may be included until they are purged.
   */
  readOutline(after: number, limit: number): Promise<EventOutline[]>;
  /** The newest position; 0 for an empty log. */
  headPosition(): Promise<number>;
  /**
   * Events of a session. Messages are as they were heard (`asHeard`): an interruption cuts the message that it names,
   * even if the interruption itself is not among the events read. `readLog` returns messages as they were appended.
   */
  readSession(scope: SessionScope, read: SessionRead): Promise<LogEvent[]>;
  /** Like `readSession`, and tells whether more events match. */
  readSessionPage(scope: SessionScope, read: SessionRead & { readonly maxBytes: number }): Promise<SessionPage>;
  countSession(scope: SessionScope, read: Pick<SessionRead, 'types' | 'from' | 'to'>): Promise<number>;
  /** The newest sequence of a session; 0 when it has no event. */
  sessionSequence(scope: SessionScope): Promise<number>;
  /** Those of the ids that belong to erased messages: an append with one of them rejects with `RepeatOfErased`. */
  erasedAmong(tenantId: string, eventIds: readonly string[]): Promise<ReadonlySet<string>>;
}
