import type { LogEvent } from '@turnkeeper/domain';
import type { SessionScope } from '../log/event-store.port.js';
import type { Page } from '../memories/memory-store.port.js';

export interface ActorView {
  readonly actorId: string;
  readonly sessions: number;
  /** When its first session was created (ISO 8601). */
  readonly createdAt: string;
}

export interface SessionView {
  readonly actorId: string;
  readonly sessionId: string;
  readonly createdAt: string;
}

export interface ActorDetails extends ActorView {
  /** When its newest event was recorded; null if none is left. */
  readonly lastEventAt: string | null;
}

export interface SessionDetails extends SessionView {
  /** Readable messages and binary events. */
  readonly events: number;
  /** 0 if it never had a sequenced event. */
  readonly newestSequence: number;
  readonly lastEventAt: string | null;
}

/** Current contents of a memory. */
export interface LogUsage {
  readonly actors: number;
  readonly sessions: number;
  readonly messages: number;
  readonly binaryEvents: number;
}

/** Position in a listing: by offset, or after the last row of the previous page. */
export interface ListPlace {
  readonly limit: number;
  readonly offset: number;
  /** Start after this id, in the listing's order. Then nothing is counted and the total is null. */
  readonly after?: string | undefined;
}

/** A page with a total, or a later page read by cursor without one. */
export type CountedPage<T> = Omit<Page<T>, 'total'> & { readonly total: number | null };

/** Readable actors, sessions and events of a memory. */
export interface SessionDirectory {
  /** Ordered by id (bytewise). */
  listActors(tenantId: string, memoryId: string, place: ListPlace): Promise<CountedPage<ActorView>>;
  findActor(tenantId: string, memoryId: string, actorId: string): Promise<ActorDetails | null>;
  listSessions(
    tenantId: string,
    memoryId: string,
    actorId: string,
    place: ListPlace,
  ): Promise<CountedPage<SessionView>>;
  findSession(scope: SessionScope): Promise<SessionDetails | null>;
  /** One event of a session. */
  findEvent(scope: SessionScope, eventId: string): Promise<LogEvent | null>;
  usage(tenantId: string, memoryId: string): Promise<LogUsage>;
}
