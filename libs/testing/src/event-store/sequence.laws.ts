import { SequenceConflict } from '@turnkeeper/domain';
import { describe, expect, it } from 'vitest';
import type { GivenStore } from './given-store.js';
import { message, messages, newSession, recordsExtracted } from './log-samples.js';

/** Session numbering and checks of the expected sequence. */
export const sequenceLaws = (given: GivenStore): void => {
  describe('session sequence', () => {
    it('numbers a session 1..n without gaps, whatever the request sizes', async () => {
      const { store } = given();
      const scope = await newSession(store);
      let next = 1;
      for (const size of [1, 3, 1, 7, 2]) {
        expect(await store.append({ ...scope, events: messages(size) })).toMatchObject({ firstSequence: next });
        next += size;
      }
      const events = await store.readSession(scope, { order: 'oldest-first', limit: 100 });
      expect(events.map((event) => event.sequence)).toEqual(Array.from({ length: 14 }, (_, index) => index + 1));
      expect(await store.sessionSequence(scope)).toBe(14);
    });

    it('keeps the order of concurrent requests of one session', async () => {
      const { store } = given();
      const scope = await newSession(store);
      const sessions = ['one', 'two', 'three'].map((sessionId) => ({ ...scope, sessionId }));
      const appends = Array.from({ length: 300 }, (_, index) =>
        store.append({ ...sessions[index % 3]!, events: messages(1 + (index % 2)) }),
      );
      const firsts = (await Promise.all(appends)).map((appended) => appended.firstSequence!);
      for (const session of [0, 1, 2]) {
        const own = firsts.filter((_, index) => index % 3 === session);
        expect(own).toEqual([...own].sort((a, b) => a - b));
      }
      for (const session of sessions) expect(await store.sessionSequence(session)).toBe(150);
    });

    it('accepts a correct expected sequence, and 0 for an empty session', async () => {
      const { store } = given();
      const scope = await newSession(store);
      expect(await store.append({ ...scope, events: messages(2), expectedSequence: 0 })).toMatchObject({
        firstSequence: 1,
      });
      expect(await store.append({ ...scope, events: [message()], expectedSequence: 2 })).toMatchObject({
        firstSequence: 3,
      });
    });

    it('rejects an expected sequence that is stale, too high, or 0 for an existing session', async () => {
      const { store } = given();
      const scope = await newSession(store);
      await store.append({ ...scope, events: messages(3) });
      const head = await store.headPosition();
      for (const expectedSequence of [0, 2, 4]) {
        const refused = store.append({ ...scope, events: [message()], expectedSequence });
        await expect(refused).rejects.toThrow(SequenceConflict);
        await expect(refused).rejects.toMatchObject({ currentSequence: 3 });
      }
      const unknown = { ...scope, sessionId: 'never seen' };
      await expect(store.append({ ...unknown, events: [message()], expectedSequence: 1 })).rejects.toMatchObject({
        currentSequence: 0,
      });
      expect(await store.headPosition()).toBe(head);
      expect(await store.sessionSequence(unknown)).toBe(0);
    });

    it('checks an expected sequence against earlier requests in flight', async () => {
      const { store } = given();
      const scope = await newSession(store);
      const results = await Promise.allSettled([
        store.append({ ...scope, events: messages(2) }),
        store.append({ ...scope, events: [message()], expectedSequence: 0 }),
        store.append({ ...scope, events: [message()], expectedSequence: 2 }),
        store.append({ ...scope, events: [message()] }),
        store.append({ ...scope, events: [message()], expectedSequence: 4 }),
      ]);
      expect(results.map((result) => result.status)).toEqual([
        'fulfilled',
        'rejected',
        'fulfilled',
        'fulfilled',
        'fulfilled',
      ]);
      expect(await store.sessionSequence(scope)).toBe(5);
    });

    it('lets exactly one of twenty racing writers win and returns the current sequence to the rest', async () => {
      const { store } = given();
      const scope = await newSession(store);
      await store.append({ ...scope, events: [message()] });
      const results = await Promise.allSettled(
        Array.from({ length: 20 }, () => store.append({ ...scope, events: messages(2), expectedSequence: 1 })),
      );
      expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
      for (const result of results) {
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ currentSequence: 3 });
      }
      expect(await store.sessionSequence(scope)).toBe(3);
    });

    it('gives derived events no number, so that a client’s expected sequence stays valid', async () => {
      const { store } = given();
      const scope = await newSession(store);
      await store.append({ ...scope, events: messages(2) });
      const extracted = await store.append({ ...scope, events: [recordsExtracted(), recordsExtracted()] });
      expect(extracted.firstSequence).toBeNull();
      expect(await store.append({ ...scope, events: [message()], expectedSequence: 2 })).toMatchObject({
        firstSequence: 3,
      });
      const inLog = await store.readLog(extracted.firstPosition - 2, 2);
      expect(inLog[1]).toMatchObject({ ...scope, sequence: null, sessionKey: inLog[0]!.sessionKey, expiresAt: null });
      const inSession = await store.readSession(scope, { order: 'oldest-first', limit: 10 });
      expect(inSession.map((event) => event.type)).toEqual(Array.from({ length: 3 }, () => 'message.appended'));
    });
  });
};
