import { randomUUID } from 'node:crypto';
import { IdempotencyMismatch, MemoryNotFound } from '@turnkeeper/domain';
import { describe, expect, it } from 'vitest';
import type { GivenStore } from './given-store.js';
import { creation, message, messages, newSession, recordsExtracted } from './log-samples.js';

const ONE = 'aa'.repeat(32);
const OTHER = 'bb'.repeat(32);

/** Results of repeated requests. */
export const repeatLaws = (given: GivenStore): void => {
  describe('a repeated request', () => {
    it('returns the original result and stores nothing again', async () => {
      const { store } = given();
      const scope = await newSession(store);
      for (const fingerprint of [undefined, ONE]) {
        const request = { ...scope, events: messages(3), ...(fingerprint === undefined ? {} : { fingerprint }) };
        const first = await store.append(request);
        await store.append({ ...scope, events: messages(2) });
        const head = await store.headPosition();
        expect(await store.append(request)).toEqual({ ...first, duplicate: true });
        expect(await store.headPosition()).toBe(head);
      }
    });

    it('returns it even if its expected sequence is now stale', async () => {
      const { store } = given();
      const scope = await newSession(store);
      const request = { ...scope, events: [message()], expectedSequence: 0, fingerprint: ONE };
      const first = await store.append(request);
      expect(await store.append(request)).toEqual({ ...first, duplicate: true });
    });

    it('returns it even while the first is still in flight', async () => {
      const { store } = given();
      const scope = await newSession(store);
      const request = { ...scope, events: messages(2), fingerprint: ONE };
      const answers = await Promise.all(Array.from({ length: 8 }, () => store.append(request)));
      expect(new Set(answers.map((answer) => answer.firstPosition)).size).toBe(1);
      expect(answers.filter((answer) => !answer.duplicate)).toHaveLength(1);
      expect(await store.sessionSequence(scope)).toBe(2);
    });

    it('returns it for events without a session and for derived events', async () => {
      const { store } = given();
      const request = creation();
      const first = await store.append(request);
      expect(await store.append(request)).toEqual({ ...first, duplicate: true });
      const scope = await newSession(store);
      const derived = { ...scope, events: [recordsExtracted()] };
      const answer = await store.append(derived);
      expect(await store.append(derived)).toEqual({ ...answer, duplicate: true });
    });

    it('returns it if its ids are wrongly marked as new, next to requests that mark theirs correctly', async () => {
      const { store } = given();
      const scope = await newSession(store);
      const request = { ...scope, events: messages(3), newIds: true };
      const first = await store.append(request);
      const head = await store.headPosition();
      const mistaken = [
        request,
        { ...request, events: [{ ...recordsExtracted(), eventId: request.events[1]!.eventId }] },
      ];
      const answers = await Promise.allSettled(
        [
          { ...scope, events: [message()], newIds: true },
          ...mistaken,
          { ...scope, events: messages(2), newIds: true },
        ].map((each) => store.append(each)),
      );
      expect(answers).toMatchObject([
        { value: { firstSequence: 4, duplicate: false } },
        { value: { ...first, duplicate: true } },
        { reason: expect.any(IdempotencyMismatch) as unknown },
        { value: { firstSequence: 5, duplicate: false } },
      ]);
      expect(await store.headPosition()).toBe(head + 3);
    });

    it('is rejected if the same ids refer to something else', async () => {
      const { store } = given();
      const scope = await newSession(store);
      const events = messages(3);
      await store.append({ ...scope, events, fingerprint: ONE });
      await store.append({ ...scope, events: [message()] });
      const head = await store.headPosition();
      const others = [
        { ...scope, events, fingerprint: OTHER },
        { ...scope, events: [...events, message()] },
        { ...scope, events: [events[0]!, events[2]!, events[1]!] },
        { ...scope, events: [{ ...recordsExtracted(), eventId: events[0]!.eventId }] },
        { ...scope, events: events.slice(1), fingerprint: ONE },
        { ...scope, sessionId: 'another', events, fingerprint: ONE },
      ];
      for (const request of others) await expect(store.append(request)).rejects.toThrow(IdempotencyMismatch);
      expect(await store.headPosition()).toBe(head);
    });

    it('ignores another tenant’s ids: they are neither visible nor reserved', async () => {
      const { store } = given();
      const [own, others] = [await newSession(store), await newSession(store)];
      const events = messages(2);
      // Another tenant takes the ids that one of our keys will derive.
      await store.append({ ...others, events, fingerprint: OTHER });
      const first = await store.append({ ...own, events, fingerprint: ONE });
      expect(first).toMatchObject({ duplicate: false, firstSequence: 1 });
      expect(await store.append({ ...own, events, fingerprint: ONE })).toEqual({ ...first, duplicate: true });
      // The other tenant's ids must not be observable.
      const stranger = { ...own, tenantId: randomUUID() };
      await expect(store.append({ ...stranger, events, fingerprint: ONE })).rejects.toThrow(MemoryNotFound);
      await expect(store.append({ ...stranger, events: messages(1) })).rejects.toThrow(MemoryNotFound);
    });
  });
};
