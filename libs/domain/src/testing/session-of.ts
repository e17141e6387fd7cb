import type { EventDataByType, EventType, LogEvent } from '../log/log-event.js';
import type { MessageAppended } from '../session/session-events.js';

/** Builds events of one session, with sequences from 1 and ids `e-1`, `e-2`, … */
export const sessionOf = () => {
  let sequence = 0;
  const next = <T extends EventType>(type: T, data: EventDataByType[T]): LogEvent<T> => {
    sequence += 1;
    return {
      tenantId: 't',
      memoryId: 'm',
      actorId: 'ada',
      sessionId: 's',
      position: sequence,
      sequence,
      sessionKey: 1,
      eventId: `e-${sequence}`,
      type,
      schemaVersion: 1,
      data,
      occurredAt: null,
      recordedAt: new Date(Date.UTC(2026, 0, 1, 0, 0, sequence)).toISOString(),
      expiresAt: null,
    } as unknown as LogEvent<T>;
  };
  return {
    next,
    says: (role: string, content: string, more: Partial<MessageAppended> = {}) =>
      next('message.appended', { payloadType: 'CONVERSATIONAL', role, content, ...more }),
  };
};
