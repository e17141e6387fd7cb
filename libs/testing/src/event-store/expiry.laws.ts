import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { GivenStore } from './given-store.js';
import { message, messages, newSession, recordsExtracted } from './log-samples.js';

/** Behaviour of expired events. */
export const expiryLaws = (given: GivenStore): void => {
  describe('expiry', () => {
    it('is set from the memory’s retention for messages, not for control events', async () => {
      const { store } = given();
      const scope = await newSession(store, 7);
      const { firstPosition, recordedAt } = await store.append({
        ...scope,
        events: [
          message(),
          { ...message(), type: 'binary.appended', data: { payloadType: 'BLOB', binaryData: 'AA==' } },
          { ...message(), type: 'agent.stopped', data: { agentId: randomUUID(), reason: 'requested' } },
        ],
      });
      const expiresAt = new Date(Date.parse(recordedAt) + 7 * 86_400_000).toISOString();
      const events = await store.readLog(firstPosition - 2, 4);
      expect(events.map((event) => event.type)).toEqual([
        'memory.created',
        'message.appended',
        'binary.appended',
        'agent.stopped',
      ]);
      expect(events.map((event) => event.expiresAt)).toEqual([null, expiresAt, expiresAt, null]);
    });

    it('makes events unreadable everywhere and does not reuse their positions', async () => {
      const { store, letEventsExpire } = given();
      const scope = await newSession(store);
      const { firstPosition } = await store.append({ ...scope, events: messages(3) });
      await store.append({ ...scope, events: [recordsExtracted()] });
      await letEventsExpire();
      expect((await store.readLog(firstPosition - 1, 10)).map((event) => event.type)).toEqual(['records.extracted']);
      expect(await store.readReferences(firstPosition - 1, 10)).toHaveLength(1);
      expect(await store.readSession(scope, { order: 'oldest-first', limit: 10 })).toEqual([]);
      expect(await store.countSession(scope, {})).toBe(0);
      expect(await store.sessionSequence(scope)).toBe(3);
      expect(await store.append({ ...scope, events: [message()], expectedSequence: 3 })).toMatchObject({
        firstPosition: firstPosition + 4,
        firstSequence: 4,
      });
    });
  });
};
