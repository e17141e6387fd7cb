import { currentVersion } from '@turnkeeper/contracts';
import type { EventDataByType, EventScope, EventType, LogEvent, NewEvent } from '@turnkeeper/domain';
import type { Appended } from './event-store.port.js';

/** An event of one known type before it is appended; `NewEvent` is the union of these. */
export interface Fact<T extends EventType> {
  readonly eventId: string;
  readonly type: T;
  readonly schemaVersion: number;
  readonly data: EventDataByType[T];
  readonly occurredAt: null;
}

export const factOf = <T extends EventType>(eventId: string, type: T, data: EventDataByType[T]): Fact<T> => ({
  eventId,
  type,
  schemaVersion: currentVersion(type),
  data,
  occurredAt: null,
});

/**
 * Appended events in the shape of log reads, for projections in the append's transaction. They lack the session key and
 * the expiry.
 */
const storedEvents = (scope: EventScope, events: readonly NewEvent[], appended: Appended): LogEvent[] =>
  events.map(
    (event, index) =>
      ({
        tenantId: scope.tenantId,
        memoryId: scope.memoryId,
        actorId: scope.actorId,
        sessionId: scope.sessionId,
        ...event,
        position: appended.firstPosition + index,
        sequence: appended.firstSequence === null ? null : appended.firstSequence + index,
        sessionKey: null,
        recordedAt: appended.recordedAt,
        expiresAt: null,
      }) as LogEvent,
  );

/**
 * Events about to be appended, for projections written before them. They have no place in the log yet: position 0,
 * sequence null.
 */
export const pendingEvents = (scope: EventScope, events: readonly NewEvent[], recordedAt: string): LogEvent[] =>
  storedEvents(scope, events, {
    firstPosition: 0,
    firstSequence: null,
    count: events.length,
    recordedAt,
    duplicate: false,
  }).map((event) => ({ ...event, position: 0 }));

/** Like `pendingEvents`, for one event. */
export const pendingEvent = <T extends EventType>(scope: EventScope, fact: Fact<T>, recordedAt: string): LogEvent<T> =>
  pendingEvents(scope, [fact as NewEvent], recordedAt)[0] as LogEvent<T>;

/** Like `storedEvents`, for the only or first event of an append. */
export const storedEvent = <T extends EventType>(scope: EventScope, fact: Fact<T>, appended: Appended): LogEvent<T> =>
  storedEvents(scope, [fact as NewEvent], appended)[0] as LogEvent<T>;
