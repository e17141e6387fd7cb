import type { NewEvent } from '@turnkeeper/domain';
import { type EventOutline, type SessionScope, progressOf } from '@turnkeeper/application';
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { InMemoryEventStore } from '../event-store/in-memory-event-store.js';
import { creation, message, newSession, recordsExtracted } from '../event-store/log-samples.js';

const said = (role: string): NewEvent => {
  const event = message();
  return { ...event, data: { ...event.data, role } } as NewEvent;
};
const stopped = (): NewEvent => ({
  eventId: randomUUID(),
  type: 'agent.stopped',
  schemaVersion: 1,
  occurredAt: null,
  data: { agentId: randomUUID(), reason: 'requested' },
});

describe('session changes of a log page', () => {
  let eventStore: InMemoryEventStore;
  let scope: SessionScope;
  beforeEach(async () => {
    eventStore = new InMemoryEventStore();
    scope = await newSession(eventStore);
  });
  const append = (sessionId: string, ...events: NewEvent[]) => eventStore.append({ ...scope, sessionId, events });
  const progress = async (events?: EventOutline[]) => {
    const all = progressOf(events ?? (await eventStore.readOutline(0, 1_000)));
    return all.map(({ newestSequence, userTurns, flushThrough }) => [newestSequence, userTurns, flushThrough]);
  };

  it('contain the newest sequence and the user turns of each session', async () => {
    await append('a', said('user'), said('assistant'), said('USER'), said('human'), said('tool'), said('system'));
    await append('b', said('assistant'));
    await append('a', said('user'));
    expect(await progress()).toEqual([
      [7, 4, null],
      [1, 0, null],
    ]);
  });

  it('contain the newest agent stop', async () => {
    await append('a', said('user'), stopped(), said('user'), stopped(), said('user'));
    expect(await progress()).toEqual([[5, 3, 4]]);
  });

  it('do not depend on the order within the page', async () => {
    await append('a', said('user'), said('assistant'), said('user'));
    expect(await progress((await eventStore.readOutline(0, 10)).reverse())).toEqual([[3, 2, null]]);
  });

  it('are empty for events outside a conversation: an extraction does not trigger an extraction', async () => {
    await eventStore.append(creation());
    await append('a', recordsExtracted());
    expect(await progress()).toEqual([]);
  });
});
