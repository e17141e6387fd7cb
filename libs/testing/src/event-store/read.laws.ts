import { randomUUID } from 'node:crypto';
import type { SessionRead } from '@turnkeeper/application';
import type { NewEvent } from '@turnkeeper/domain';
import { describe, expect, it } from 'vitest';
import type { GivenStore } from './given-store.js';
import { message, messages, newSession, recordsExtracted } from './log-samples.js';

const said = (role: string, content: string): NewEvent => {
  const event = message(content);
  return { ...event, data: { ...event.data, role } } as NewEvent;
};

/** What readers see. */
export const readLaws = (given: GivenStore): void => {
  describe('reading', () => {
    it('pages through the log, each event once and in order', async () => {
      const { store } = given();
      const scope = await newSession(store);
      const start = await store.headPosition();
      for (const size of [4, 1, 9, 2, 7]) await store.append({ ...scope, events: messages(size) });
      const seen: number[] = [];
      for (let after = start; ; after = seen.at(-1)!) {
        const page = await store.readLog(after, 5);
        if (page.length === 0) break;
        expect(page.length).toBeLessThanOrEqual(5);
        seen.push(...page.map((event) => event.position));
      }
      expect(seen).toEqual(Array.from({ length: 23 }, (_, index) => start + index + 1));
      expect(await store.headPosition()).toBe(start + 23);
    });

    it('returns only the requested types, and counts only those toward the page', async () => {
      const { store } = given();
      const scope = await newSession(store);
      const start = await store.headPosition();
      await store.append({ ...scope, events: messages(3) });
      await store.append({ ...scope, events: [recordsExtracted()] });
      await store.append({ ...scope, events: messages(2) });
      await store.append({ ...scope, events: [recordsExtracted()] });
      const page = await store.readLog(start, 2, ['records.extracted']);
      expect(page.map(({ type, position }) => [type, position - start])).toEqual([
        ['records.extracted', 4],
        ['records.extracted', 7],
      ]);
      expect(await store.readLog(start + 4, 9, ['records.extracted', 'agent.started'])).toHaveLength(1);
    });

    it('returns messages as they were heard, wherever the interruption is, and as they were appended on request', async () => {
      const { store } = given();
      const scope = await newSession(store);
      const spoken = said('assistant', 'one two three');
      const cut = (heard: string | null): NewEvent => ({
        ...{ eventId: randomUUID(), type: 'message.interrupted', schemaVersion: 1, occurredAt: null },
        data: { messageEventId: spoken.eventId, heard },
      });
      await store.append({ ...scope, events: [said('user', 'go on'), spoken] });
      await store.append({ ...scope, events: [cut('one two'), said('user', 'stop'), cut('one')] });
      await store.append({ ...scope, sessionId: 'another', events: [cut('nothing')] });
      const texts = async (read: Partial<SessionRead>) =>
        (await store.readSession(scope, { order: 'oldest-first', limit: 9, ...read })).flatMap(({ type, data }) =>
          type === 'message.appended' ? [data.content] : [],
        );
      expect(await texts({})).toEqual(['go on', 'one', 'stop']);
      expect(await texts({ order: 'newest-first', types: ['message.appended'] })).toEqual(['stop', 'one', 'go on']);
      // Without the interruptions in the range.
      expect(await texts({ after: 1, before: 3 })).toEqual(['one']);
      expect(await texts({ asAppended: true })).toEqual(['go on', 'one two three', 'stop']);
      const [message] = await store.readSession(scope, { order: 'oldest-first', limit: 1, after: 1 });
      expect(message?.data).toMatchObject({ metadata: { interrupted: true, original: 'one two three' } });
    });

    it('reads no further than the given position', async () => {
      const { store } = given();
      const scope = await newSession(store);
      const start = await store.headPosition();
      await store.append({ ...scope, events: messages(5) });
      const through = async (position: number) =>
        (await store.readLog(start, 4, undefined, position)).map(({ sequence }) => sequence);
      expect(await through(start + 3)).toEqual([1, 2, 3]);
      expect(await through(start + 9)).toEqual([1, 2, 3, 4]);
      expect(await through(start)).toEqual([]);
    });

    it('ends a page with the event that fills it and reports whether there may be more', async () => {
      const { store } = given();
      const scope = await newSession(store);
      const start = await store.headPosition();
      await store.append({ ...scope, events: [1, 2, 3, 4].map(() => message('x'.repeat(1_000))) });
      const page = async (after: number, limit: number, maxBytes: number, through?: number) => {
        const { events, more } = await store.readLogPage(start + after, {
          limit,
          maxBytes,
          types: ['message.appended'],
          ...(through === undefined ? {} : { through: start + through }),
        });
        return [events.map(({ position }) => position - start), more];
      };
      expect(await page(0, 10, 2_000)).toEqual([[1, 2], true]);
      expect(await page(2, 10, 1)).toEqual([[3], true]);
      expect(await page(0, 3, 1e6)).toEqual([[1, 2, 3], true]);
      expect(await page(0, 10, 1e6)).toEqual([[1, 2, 3, 4], false]);
      expect(await page(1, 10, 1e6, 3)).toEqual([[2, 3], false]);
      expect(await page(4, 10, 1)).toEqual([[], false]);
    });

    it('returns an outline of the events, including user turns', async () => {
      const { store } = given();
      const scope = await newSession(store);
      const start = await store.headPosition();
      const roles = ['user', 'assistant', 'USER', 'Human', 'tool', 'system', ''];
      const turns = roles.map((role) => said(role, 'half an emoji: \ud83d, and a backslash: \\ud83d'));
      await store.append({ ...scope, events: turns });
      await store.append({ ...scope, events: [recordsExtracted()] });
      const sessionKey = (await store.readLog(start, 1))[0]?.sessionKey;
      expect(await store.readOutline(start, 20)).toEqual([
        ...[true, false, true, true, false, false, false].map((isUserTurn, index) => {
          return { position: start + index + 1, sessionKey, sequence: index + 1, type: 'message.appended', isUserTurn };
        }),
        { position: start + 8, sessionKey, sequence: null, type: 'records.extracted', isUserTurn: false },
      ]);
      expect(await store.readOutline(start + 2, 3)).toHaveLength(3);
    });

    it('returns references to the same events without their content', async () => {
      const { store } = given();
      const scope = await newSession(store);
      const start = await store.headPosition();
      await store.append({ ...scope, events: messages(2) });
      await store.append({ ...scope, events: [recordsExtracted()] });
      const events = await store.readLog(start, 10);
      expect(await store.readReferences(start, 10)).toEqual(
        events.map(({ position, eventId, type, sessionKey, sequence, tenantId, memoryId }) => {
          return { position, eventId, type, sessionKey, sequence, tenantId, memoryId };
        }),
      );
      expect(await store.readReferences(start + 1, 1)).toHaveLength(1);
    });

    it('finds the first position of a time', async () => {
      const { store } = given();
      const scope = await newSession(store);
      await store.append({ ...scope, events: messages(2) });
      expect(await store.positionSince(3_600_000)).toBe(1);
      expect(await store.positionSince(-3_600_000)).toBe((await store.headPosition()) + 1);
      await new Promise((resolve) => setTimeout(resolve, 150));
      const { firstPosition } = await store.append({ ...scope, events: messages(2) });
      expect(await store.positionSince(100)).toBe(firstPosition);
    });

    it('reads a session from either end, in part and filtered', async () => {
      const { store } = given();
      const scope = await newSession(store);
      const stamps = ['2023-01-01T00:00:00Z', '2023-01-02T00:00:00Z', '2023-01-03T00:00:00Z', null, null];
      await store.append({ ...scope, events: stamps.map((occurredAt) => message('said', occurredAt)) });
      await store.append({
        ...scope,
        events: [{ ...message(), type: 'agent.stopped', data: { agentId: randomUUID(), reason: 'requested' } }],
      });
      const read = async (options: Partial<SessionRead>): Promise<(number | null)[]> => {
        const events = await store.readSession(scope, { order: 'oldest-first', limit: 10, ...options });
        return events.map((event) => event.sequence);
      };
      expect(await read({})).toEqual([1, 2, 3, 4, 5, 6]);
      expect(await read({ order: 'newest-first', limit: 2 })).toEqual([6, 5]);
      expect(await read({ order: 'newest-first', limit: 2, offset: 3 })).toEqual([3, 2]);
      expect(await read({ after: 2, before: 5 })).toEqual([3, 4]);
      expect(await read({ types: ['agent.stopped'] })).toEqual([6]);
      expect(await read({ types: [] })).toEqual([]);
      expect(await read({ from: '2023-01-02T00:00:00Z', to: '2023-01-03T00:00:00Z' })).toEqual([2, 3]);
      // Without a client time, the arrival time counts.
      expect(await read({ from: '2023-01-03T00:00:00.001Z' })).toEqual([4, 5, 6]);
      const [stopped] = await store.readSession(scope, { order: 'newest-first', limit: 1 });
      expect(await read({ types: ['agent.stopped'], from: stopped!.recordedAt, to: stopped!.recordedAt })).toEqual([6]);
    });

    it('ends a page at its size limit', async () => {
      const { store } = given();
      const scope = await newSession(store);
      const said = (size: number) => message('x'.repeat(size));
      await store.append({ ...scope, events: [said(10), said(5_000), said(10), said(10)] });
      const read = async (after: number, maxBytes: number, order: SessionRead['order'] = 'oldest-first') =>
        (await store.readSession(scope, { after, order, limit: 3, maxBytes })).map(({ sequence }) => sequence);
      expect(await read(0, 1)).toEqual([1]);
      expect(await read(0, 4_000)).toEqual([1, 2]);
      expect(await read(2, 4_000)).toEqual([3, 4]);
      expect(await read(0, 4_000, 'newest-first')).toEqual([4, 3, 2]);
      expect(await read(0, 9_000)).toEqual([1, 2, 3]);
      expect(await read(4, 1)).toEqual([]);
    });

    it('reports whether a session continues after a page, and the page size', async () => {
      const { store } = given();
      const scope = await newSession(store);
      await store.append({ ...scope, events: [message('x'.repeat(2_000)), message('y'.repeat(2_000)), message('z')] });
      const read = async (options: Partial<SessionRead> & { maxBytes: number }) => {
        const { events, bytes, more } = await store.readSessionPage(scope, {
          order: 'oldest-first',
          limit: 10,
          ...options,
        });
        return [events.map(({ sequence }) => sequence), Math.floor(bytes / 1_000), more];
      };
      expect(await read({ maxBytes: 1 })).toEqual([[1], 2, true]);
      expect(await read({ maxBytes: 10_000 })).toEqual([[1, 2, 3], 4, false]);
      expect(await read({ maxBytes: 10_000, limit: 2 })).toEqual([[1, 2], 4, true]);
      expect(await read({ maxBytes: 10_000, limit: 2, order: 'newest-first', offset: 1 })).toEqual([[2, 1], 4, false]);
      expect(await read({ maxBytes: 1, after: 2 })).toEqual([[3], 0, false]);
      expect(await read({ maxBytes: 1, after: 3 })).toEqual([[], 0, false]);
    });

    it('counts what a read would find', async () => {
      const { store } = given();
      const scope = await newSession(store);
      await store.append({ ...scope, events: [message('then', '2023-01-01T00:00:00Z'), message(), message()] });
      expect(await store.countSession(scope, {})).toBe(3);
      expect(await store.countSession(scope, { to: '2023-06-01T00:00:00Z' })).toBe(1);
      expect(await store.countSession(scope, { types: ['agent.stopped'] })).toBe(0);
    });

    it('shows a session only to its own tenant, memory, actor and session', async () => {
      const { store } = given();
      const scope = await newSession(store);
      await store.append({ ...scope, events: [message()] });
      const strangers = [
        { ...scope, tenantId: randomUUID() },
        { ...scope, memoryId: randomUUID() },
        { ...scope, actorId: 'eve' },
        { ...scope, sessionId: 'tuesday' },
      ];
      for (const stranger of strangers) {
        expect(await store.readSession(stranger, { order: 'oldest-first', limit: 10 })).toEqual([]);
        expect(await store.countSession(stranger, {})).toBe(0);
        expect(await store.sessionSequence(stranger)).toBe(0);
      }
    });
  });
};
