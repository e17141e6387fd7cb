import { randomUUID } from 'node:crypto';
import type { AppendRequest, EventStore, SessionScope } from '@turnkeeper/application';
import type { NewEvent } from '@turnkeeper/domain';

/** A user message. */
export const message = (content = 'hello', occurredAt: string | null = null): NewEvent => ({
  eventId: randomUUID(),
  type: 'message.appended',
  schemaVersion: 1,
  occurredAt,
  data: { payloadType: 'CONVERSATIONAL', role: 'user', content },
});

export const messages = (count: number): NewEvent[] =>
  Array.from({ length: count }, (_, index) => message(`utterance ${index + 1}`));

export const memoryCreated = (eventExpiryDuration = 30): NewEvent => ({
  eventId: randomUUID(),
  type: 'memory.created',
  schemaVersion: 1,
  occurredAt: null,
  data: { name: 'a memory', description: '', eventExpiryDuration, strategies: [] },
});

export const recordsExtracted = (): NewEvent => ({
  eventId: randomUUID(),
  type: 'records.extracted',
  schemaVersion: 1,
  occurredAt: null,
  data: {
    strategyId: randomUUID(),
    strategyVersion: 1,
    fromSequence: 1,
    toSequence: 1,
    extractor: 'offline-rules@1',
    model: null,
    promptHash: '',
    rawAnswer: '',
    records: [],
    confirmed: [],
    superseded: [],
    refused: [],
  },
});

/** A request that creates a memory. */
export const creation = (
  tenantId: string = randomUUID(),
  memoryId: string = randomUUID(),
  expiryDays = 30,
): AppendRequest => ({ tenantId, memoryId, actorId: null, sessionId: null, events: [memoryCreated(expiryDays)] });

/** An empty session in a new memory. */
export const newSession = async (store: EventStore, expiryDays = 30): Promise<SessionScope> => {
  const request = creation(randomUUID(), randomUUID(), expiryDays);
  await store.append(request);
  return { tenantId: request.tenantId, memoryId: request.memoryId, actorId: 'ada', sessionId: 'monday' };
};
