import { randomUUID } from 'node:crypto';
import { IdempotencyMismatch, SequenceConflict } from '@turnkeeper/domain';
import { type Ids, type SessionScope, AppendEvents, type AppendEventsInput } from '@turnkeeper/application';
import type { EventBody } from '@turnkeeper/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { InMemoryEventStore } from '../event-store/in-memory-event-store.js';
import { newSession } from '../event-store/log-samples.js';

/** Readable ids where no UUID is required. */
const derived = new Map<string, string>();
const ids: Ids = {
  next: () => randomUUID(),
  derive: (...parts) => {
    const name = JSON.stringify(parts);
    derived.set(name, derived.get(name) ?? randomUUID());
    return derived.get(name)!;
  },
};
const message = (text: string, more: Partial<EventBody> = {}): EventBody => ({
  payload: { type: 'CONVERSATIONAL', role: 'user', message: text },
  ...more,
});
const OWN_ID = '018f0000-0000-7000-8000-00000000000a';

describe('AppendEvents', () => {
  let eventStore: InMemoryEventStore;
  let appendEvents: AppendEvents;
  let scope: SessionScope;
  beforeEach(async () => {
    eventStore = new InMemoryEventStore();
    appendEvents = new AppendEvents({ eventStore, ids });
    scope = await newSession(eventStore);
  });

  const append = (events: readonly EventBody[], more: Partial<AppendEventsInput> = {}) =>
    appendEvents.execute({ scope, events, fingerprint: () => 'aa', ...more });
  const stored = () => eventStore.readSession(scope, { order: 'oldest-first', limit: 100 });

  it('stores a message unchanged and returns its position', async () => {
    const more = { turnId: 7, timestamp: 1_700_000_000_000, metadata: { speaker: 'Ada' } };
    const answer = await append([message('hello', { ...more, eventTimestamp: '2023-05-08T13:56:00Z' })]);
    const [event] = await stored();
    expect(answer).toEqual([
      { eventId: event?.eventId, sequence: 1, position: event?.position, recordedAt: event?.recordedAt },
    ]);
    expect(event).toMatchObject({
      type: 'message.appended',
      occurredAt: '2023-05-08T13:56:00.000Z',
      data: { payloadType: 'CONVERSATIONAL', role: 'user', content: 'hello', ...more },
    });
  });

  it('stores bytes as a separate event type', async () => {
    await append([{ payload: { type: 'BINARY', binaryData: 'aGk=' }, metadata: { of: 'a checkpoint' } }]);
    expect(await stored()).toMatchObject([
      {
        type: 'binary.appended',
        occurredAt: null,
        data: { payloadType: 'BINARY', binaryData: 'aGk=', metadata: { of: 'a checkpoint' } },
      },
    ]);
  });

  it('returns a result for every event of a batch, in order', async () => {
    await append([message('first')]);
    const answer = await append([message('second'), message('third')]);
    const events = await stored();
    expect(answer.map(({ eventId }) => eventId)).toEqual(events.slice(1).map(({ eventId }) => eventId));
    expect(answer.map(({ sequence }) => sequence)).toEqual([2, 3]);
    expect(answer[1]!.position).toBe(answer[0]!.position + 1);
  });

  it('passes the expected sequence on', async () => {
    await append([message('first')], { expectedSequence: 0 });
    await expect(append([message('late')], { expectedSequence: 0 })).rejects.toEqual(new SequenceConflict(1));
  });

  describe('with an idempotency key', () => {
    const keyed = (text: string, fingerprint: string, more: Partial<AppendEventsInput> = {}) =>
      append([message(text)], { idempotencyKey: 'order-1', fingerprint: () => fingerprint, ...more });

    it('returns the original result for the same body and rejects another', async () => {
      const first = await keyed('hello', 'aa');
      expect(await keyed('hello', 'aa')).toEqual(first);
      await expect(keyed('other', 'bb')).rejects.toBeInstanceOf(IdempotencyMismatch);
      expect(await stored()).toHaveLength(1);
    });

    it('scopes the key to the session', async () => {
      const [first] = await keyed('hello', 'aa');
      for (const other of [{ sessionId: 'tuesday' }, { actorId: 'grace' }]) {
        const [second] = await keyed('hello', 'aa', { scope: { ...scope, ...other } });
        expect(second?.eventId).not.toBe(first?.eventId);
      }
    });

    it('applies the key to the whole batch', async () => {
      const batch = [message('a'), message('b')];
      const first = await append(batch, { idempotencyKey: 'k' });
      expect(await append(batch, { idempotencyKey: 'k' })).toEqual(first);
      expect(new Set(first.map(({ eventId }) => eventId)).size).toBe(2);
    });
  });

  describe('with a client-supplied id', () => {
    it('returns the original result for the same body and rejects another', async () => {
      const once = (text: string, fingerprint: string) =>
        append([message(text, { eventId: OWN_ID })], { fingerprint: () => fingerprint });
      const first = await once('hello', 'aa');
      expect(await once('hello', 'aa')).toEqual(first);
      await expect(once('other', 'bb')).rejects.toBeInstanceOf(IdempotencyMismatch);
    });

    it('derives different event ids for the same client id in two sessions', async () => {
      const [first] = await append([message('hello', { eventId: OWN_ID })]);
      const [second] = await append([message('hello', { eventId: OWN_ID })], { scope: { ...scope, sessionId: 'b' } });
      expect(second?.eventId).not.toBe(first?.eventId);
    });
  });

  it('does not compare bodies if nothing can be a repeat', async () => {
    const fingerprint = (): string => {
      throw new Error('must not be called');
    };
    await append([message('hello')], { fingerprint });
    await append([message('hello')], { fingerprint });
    expect(await stored()).toHaveLength(2);
  });
});
