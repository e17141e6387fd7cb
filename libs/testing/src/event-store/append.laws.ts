import { randomUUID } from 'node:crypto';
import { IdempotencyMismatch, MemoryExists, MemoryNotFound, type NewEvent } from '@turnkeeper/domain';
import { describe, expect, it } from 'vitest';
import type { GivenStore } from './given-store.js';
import { creation, memoryCreated, message, messages, newSession, recordsExtracted } from './log-samples.js';

/** What is stored, where, and what is rejected. */
export const appendLaws = (given: GivenStore): void => {
  describe('append', () => {
    it('stores the events of a request contiguously and in order', async () => {
      const { store } = given();
      const scope = await newSession(store);
      const head = await store.headPosition();
      const events = messages(5);
      const appended = await store.append({ ...scope, events });
      expect(appended).toEqual({
        firstPosition: head + 1,
        firstSequence: 1,
        count: 5,
        recordedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown,
        duplicate: false,
      });
      const stored = await store.readLog(head, 10);
      expect(stored.map((event) => event.eventId)).toEqual(events.map((event) => event.eventId));
      expect(stored.map((event) => event.position)).toEqual([1, 2, 3, 4, 5].map((offset) => head + offset));
    });

    it('round-trips the data exactly', async () => {
      const { store } = given();
      const scope = { ...(await newSession(store)), actorId: 'a "b" \\ {c,d}', sessionId: 'NULL ünïcode 🐙 *.>' };
      const data = {
        payloadType: 'CONVERSATIONAL',
        role: 'user',
        content: 'line\nbreak \t "quoted" \\ back\\\\slash {brace} \u2028 🐙 \ud83d lone, NULL, 日本語',
        metadata: { z: 1, a: [1.5e21, 0.1, -7, true, null, { deep: ['', ' '] }], '': 'empty key' },
      };
      const event: NewEvent = { ...message(), type: 'message.appended', data, occurredAt: '2023-05-08T15:56:00+02:00' };
      const { firstPosition, recordedAt } = await store.append({ ...scope, events: [event] });
      const [stored] = await store.readLog(firstPosition - 1, 1);
      expect(stored).toEqual({
        ...scope,
        eventId: event.eventId,
        type: 'message.appended',
        schemaVersion: 1,
        data,
        occurredAt: '2023-05-08T13:56:00.000Z',
        position: firstPosition,
        sequence: 1,
        sessionKey: stored!.sessionKey,
        recordedAt,
        expiresAt: new Date(Date.parse(recordedAt) + 30 * 86_400_000).toISOString(),
      });
      expect(stored!.sessionKey).toEqual(expect.any(Number));
      expect(Object.keys((stored!.data as typeof data).metadata)).toEqual(['z', 'a', '']);
    });

    it('separates sessions with similar names', async () => {
      const { store } = given();
      const scope = await newSession(store);
      const names = ['a', 'a ', 'A', 'a"', 'a\\', '"a"', 'null', '{a}', 'a\nb', 'á', 'a\u0301'];
      for (const actorId of names) {
        expect(await store.append({ ...scope, actorId, events: [message()] })).toMatchObject({ firstSequence: 1 });
      }
      expect(await store.append({ ...scope, sessionId: 'tuesday', events: [message()] })).toMatchObject({
        firstSequence: 1,
      });
    });

    it('accepts a memory from its creation on, once', async () => {
      const { store } = given();
      const request = creation();
      expect(await store.append(request)).toMatchObject({ firstSequence: null, duplicate: false });
      await expect(store.append({ ...request, events: [memoryCreated()] })).rejects.toThrow(MemoryExists);
      const foreign = { ...request, tenantId: randomUUID(), events: [memoryCreated()] };
      await expect(store.append(foreign)).rejects.toThrow(MemoryNotFound);
    });

    it("rejects an unknown memory and another tenant's memory, and stores nothing", async () => {
      const { store } = given();
      const scope = await newSession(store);
      const head = await store.headPosition();
      const events = [message()];
      await expect(store.append({ ...scope, memoryId: randomUUID(), events })).rejects.toThrow(MemoryNotFound);
      await expect(store.append({ ...scope, tenantId: randomUUID(), events })).rejects.toThrow(MemoryNotFound);
      expect(await store.headPosition()).toBe(head);
      expect(await store.readSession(scope, { order: 'oldest-first', limit: 10 })).toEqual([]);
      expect(await store.append({ ...scope, events })).toMatchObject({ firstPosition: head + 1, firstSequence: 1 });
    });

    it('stores a request atomically', async () => {
      const { store } = given();
      const scope = await newSession(store);
      const old = message('old');
      await store.append({ ...scope, events: [old] });
      const head = await store.headPosition();
      const mixed = [message(), message(), old, message()];
      await expect(store.append({ ...scope, events: mixed })).rejects.toThrow(IdempotencyMismatch);
      expect(await store.headPosition()).toBe(head);
      expect(await store.sessionSequence(scope)).toBe(1);
    });

    it('isolates concurrent requests from a rejected one', async () => {
      const { store } = given();
      const scope = await newSession(store);
      const old = message('old');
      await store.append({ ...scope, events: [old] });
      const head = await store.headPosition();
      const results = await Promise.allSettled([
        store.append({ ...scope, sessionId: 'one', events: messages(2) }),
        store.append({ ...scope, memoryId: randomUUID(), events: messages(2) }),
        store.append({ ...scope, sessionId: 'two', events: [message(), old] }),
        store.append({ ...scope, sessionId: 'three', events: [message()], expectedSequence: 9 }),
        store.append({ ...scope, sessionId: 'four', events: messages(3) }),
      ]);
      expect(results.map((result) => result.status)).toEqual([
        'fulfilled',
        'rejected',
        'rejected',
        'rejected',
        'fulfilled',
      ]);
      expect(await store.headPosition()).toBe(head + 5);
    });

    it('rejects invalid requests of our own code before storing anything', async () => {
      const { store } = given();
      const scope = await newSession(store);
      const head = await store.headPosition();
      const twice = message();
      const wrong = [
        { ...scope, events: [] },
        { ...scope, events: messages(1_001) },
        { ...scope, events: [twice, twice] },
        { ...scope, events: [{ ...message(), eventId: 'not-a-uuid' }] },
        { ...scope, tenantId: 'a,b', events: [message()] },
        { ...scope, actorId: null, events: [message()] },
        { ...scope, events: [message()], expectedSequence: -1 },
        { ...scope, events: [message()], fingerprint: 'not hex' },
        { ...scope, events: [message(), recordsExtracted()] },
        { ...scope, actorId: null, sessionId: null, events: [recordsExtracted()], expectedSequence: 0 },
      ];
      for (const request of wrong) await expect(store.append(request)).rejects.toThrow(RangeError);
      expect(await store.headPosition()).toBe(head);
    });
  });
};
