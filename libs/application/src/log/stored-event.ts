import { currentVersion } from '@turnkeeper/contracts';
import type { EventDataByType, EventScope, EventType, LogEvent, NewEvent } from '@turnkeeper/domain';
import type { Appended } from '../ports/event-store.port.js';

/** An event of one known type, before the log has taken it; `NewEvent` is the union of these. */
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
 * Appended events as a reader of the log would see them, for projections in the transaction of the append. They lack the
 * session's key and their expiry.
 */
export const storedEvents = (scope: EventScope, events: readonly NewEvent[], appended: Appended): LogEvent[] =>
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

/** The same for the only, or the first, event of an append. */
export const storedEvent = <T extends EventType>(scope: EventScope, fact: Fact<T>, appended: Appended): LogEvent<T> =>
  storedEvents(scope, [fact as NewEvent], appended)[0] as LogEvent<T>;
