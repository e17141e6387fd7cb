import type { LogEvent } from '@turnkeeper/domain';
import type { SessionScope } from './event-store.port.js';
import type { Page } from './memory-store.port.js';

export interface ActorView {
  readonly actorId: string;
  readonly sessions: number;
  /** When its first session was made (ISO 8601). */
  readonly createdAt: string;
}

export interface SessionView {
  readonly actorId: string;
  readonly sessionId: string;
  readonly createdAt: string;
}

export interface ActorDetails extends ActorView {
  /** When its newest event arrived; null when none is left. */
  readonly lastEventAt: string | null;
}

export interface SessionDetails extends SessionView {
  /** Messages and binary events that can be read. */
  readonly events: number;
  /** 0 when it never had an event that takes a number. */
  readonly newestSequence: number;
  readonly lastEventAt: string | null;
}

/** What a memory holds now. */
export interface LogUsage {
  readonly actors: number;
  readonly sessions: number;
  readonly messages: number;
  readonly binaryEvents: number;
}

/** A place in a listing: by offset, or behind the last row of the page before. */
export interface ListPlace {
  readonly limit: number;
  readonly offset: number;
  /** Rows after this id, in the listing's order; then nothing is counted and the total is null. */
  readonly after?: string | undefined;
}

/** A page whose rows were counted, or a further one after a cursor. */
export type CountedPage<T> = Omit<Page<T>, 'total'> & { readonly total: number | null };

/** Who and what is in a memory's log, as far as it can be read now. */
export interface SessionDirectory {
  /** By id, in the order of their bytes. */
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
