import type { LogEvent, MessageAppended } from '@turnkeeper/domain';

/** An event in the format of AgentBase clients (`id`, `payload`, `event_timestamp`), plus its position. */
export const eventResponse = (event: LogEvent<'message.appended'> | LogEvent<'binary.appended'>) => ({
  id: event.eventId,
  sequence: event.sequence,
  position: event.position,
  payload: payloadOf(event),
  event_timestamp: event.occurredAt ?? event.recordedAt,
  created_at: event.recordedAt,
  expires_at: event.expiresAt,
  ...(event.type === 'message.appended' ? turnOf(event.data) : {}),
  ...(event.data.metadata === undefined ? {} : { metadata: event.data.metadata }),
});

const turnOf = ({ turnId, timestamp, toolCalls, toolCallId }: MessageAppended) => ({
  ...(turnId === undefined ? {} : { turnId }),
  ...(timestamp === undefined ? {} : { timestamp }),
  ...(toolCalls === undefined ? {} : { toolCalls: [...toolCalls] }),
  ...(toolCallId === undefined ? {} : { toolCallId }),
});

const payloadOf = (event: LogEvent<'message.appended'> | LogEvent<'binary.appended'>) =>
  event.type === 'message.appended'
    ? { type: event.data.payloadType, role: event.data.role, message: event.data.content }
    : { type: event.data.payloadType, binaryData: event.data.binaryData };
