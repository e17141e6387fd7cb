import type { EventDataByType, EventType, LogEvent } from '@turnkeeper/domain';
import type { Appended, SessionScope } from '../ports/event-store.port.js';

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
  schemaVersion: 1,
  data,
  occurredAt: null,
});

/**
 * An appended event as a reader of the log would see it, for projections in the transaction of the append. It lacks the
 * session's key and its expiry, which no projection of agents needs.
 */
export const storedEvent = <T extends EventType>(scope: SessionScope, fact: Fact<T>, appended: Appended): LogEvent<T> =>
  ({
    tenantId: scope.tenantId,
    memoryId: scope.memoryId,
    actorId: scope.actorId,
    sessionId: scope.sessionId,
    ...fact,
    position: appended.firstPosition,
    sequence: appended.firstSequence,
    sessionKey: null,
    recordedAt: appended.recordedAt,
    expiresAt: null,
  }) as unknown as LogEvent<T>;
