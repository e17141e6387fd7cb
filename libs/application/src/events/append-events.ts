import { assertMessage, type BinaryAppended, type MessageAppended, type NewEvent } from '@turnkeeper/domain';
import type { EventBody } from '@turnkeeper/contracts';
import type { Ids } from '../shared/clock.port.js';
import type { Appended, AppendRequest, EventStore, SessionScope } from '../log/event-store.port.js';

export interface AppendEventsInput {
  readonly scope: SessionScope;
  readonly events: readonly EventBody[];
  readonly expectedSequence?: number | undefined;
  /** Value of the `Idempotency-Key` header. */
  readonly idempotencyKey?: string | undefined;
  /** Hex SHA-256 of the raw body; only called if there is a key or a client event id. */
  readonly fingerprint: () => string;
}

export interface AppendedEvent {
  readonly eventId: string;
  /** Position in the session, from 1. */
  readonly sequence: number;
  /** Position in the log, from 1. */
  readonly position: number;
  /** Recording time (ISO 8601). */
  readonly recordedAt: string;
}

/** Appends a client's events to a session. They are durable when this resolves. */
export class AppendEvents {
  constructor(private readonly deps: { readonly eventStore: EventStore; readonly ids: Ids }) {}

  async execute(input: AppendEventsInput): Promise<readonly AppendedEvent[]> {
    const { scope, expectedSequence } = input;
    const events = input.events.map((body, index) => this.newEvent(body, index, input));
    const repeatable = input.idempotencyKey !== undefined || input.events.some((event) => event.eventId !== undefined);
    const request: Writable<AppendRequest> = {
      tenantId: scope.tenantId,
      memoryId: scope.memoryId,
      actorId: scope.actorId,
      sessionId: scope.sessionId,
      events,
      newIds: !repeatable,
    };
    if (expectedSequence !== undefined) request.expectedSequence = expectedSequence;
    if (repeatable) request.fingerprint = input.fingerprint();
    const appended = await this.deps.eventStore.append(request);
    return appendedEvents(events, appended);
  }

  private newEvent(body: EventBody, index: number, input: AppendEventsInput): NewEvent {
    const eventId = this.idOf(body, index, input);
    const occurredAt = body.eventTimestamp ?? null;
    const { binaryData } = body.payload;
    if (binaryData !== undefined) {
      return { eventId, type: 'binary.appended', schemaVersion: 1, occurredAt, data: binaryOf(body, binaryData) };
    }
    const data = messageOf(body);
    assertMessage(data, input.events.length === 1 ? '' : `events.${index}.`);
    return { eventId, type: 'message.appended', schemaVersion: 1, occurredAt, data };
  }

  /** Deterministic per session: the same idempotency key (or client event id) gives the same event id. */
  private idOf(body: EventBody, index: number, { scope, idempotencyKey }: AppendEventsInput): string {
    const { tenantId, memoryId, actorId, sessionId } = scope;
    const { ids } = this.deps;
    if (idempotencyKey !== undefined) {
      return ids.derive('idempotency-key', tenantId, memoryId, actorId, sessionId, idempotencyKey, index);
    }
    return body.eventId === undefined
      ? ids.next()
      : ids.derive('event-id', tenantId, memoryId, actorId, sessionId, body.eventId);
  }
}

/** Where the events of a request were stored. */
export const appendedEvents = (events: readonly { readonly eventId: string }[], appended: Appended): AppendedEvent[] =>
  events.map(({ eventId }, index) => ({
    eventId,
    sequence: (appended.firstSequence ?? 0) + index,
    position: appended.firstPosition + index,
    recordedAt: appended.recordedAt,
  }));

/** For objects filled field by field: spreading absent fields would dominate the cost per event. */
type Writable<T> = { -readonly [Field in keyof T]: T[Field] };

const messageOf = ({ payload, turnId, timestamp, metadata, toolCalls, toolCallId }: EventBody): MessageAppended => {
  const message: Writable<MessageAppended> = {
    payloadType: payload.type,
    role: payload.role ?? '',
    content: payload.message ?? '',
  };
  if (turnId !== undefined) message.turnId = turnId;
  if (timestamp !== undefined) message.timestamp = timestamp;
  if (metadata !== undefined) message.metadata = metadata;
  if (toolCalls !== undefined) message.toolCalls = toolCalls;
  if (toolCallId !== undefined) message.toolCallId = toolCallId;
  return message;
};

const binaryOf = ({ payload, metadata }: EventBody, binaryData: string): BinaryAppended => ({
  payloadType: payload.type,
  binaryData,
  ...(metadata === undefined ? {} : { metadata }),
});
