import { randomUUID } from 'node:crypto';
import { listEventsParameters } from '@turnkeeper/contracts';
import { MemoryNotFound, type NewEvent } from '@turnkeeper/domain';
import { type SessionScope, type MemoryStore, ListEvents } from '@turnkeeper/application';
import { beforeAll, describe, expect, it } from 'vitest';
import { InMemoryEventStore } from '../event-store/in-memory-event-store.js';
import { message, newSession } from '../event-store/log-samples.js';

const stopped: NewEvent = {
  eventId: randomUUID(),
  type: 'agent.stopped',
  schemaVersion: 1,
  occurredAt: null,
  data: { agentId: randomUUID(), reason: 'requested' },
};
const bytes: NewEvent = {
  eventId: randomUUID(),
  type: 'binary.appended',
  schemaVersion: 1,
  occurredAt: null,
  data: { payloadType: 'BINARY', binaryData: 'aGk=' },
};

describe('ListEvents', () => {
  let scope: SessionScope;
  let listEvents: ListEvents;
  beforeAll(async () => {
    const eventStore = new InMemoryEventStore();
    scope = await newSession(eventStore);
    const at = (hour: number) => message('said', `2023-05-08T0${hour}:00:00Z`);
    await eventStore.append({ ...scope, events: [at(1), at(2), stopped, at(3), bytes, at(4), at(5)] });
    const find = async (tenantId: string) => (tenantId === scope.tenantId ? {} : null);
    listEvents = new ListEvents({ eventStore, memories: { find } as unknown as MemoryStore });
  });

  const list = async (query: Record<string, string> = {}) => {
    const { rows, total } = await listEvents.execute(scope, listEventsParameters.parse(query));
    return { sequences: rows.map(({ sequence }) => sequence), total };
  };

  it('returns client events, newest first, and their total', async () => {
    expect(await list()).toEqual({ sequences: [7, 6, 5, 4, 2, 1], total: 6 });
  });

  it('pages in either order', async () => {
    expect(await list({ size: '4' })).toEqual({ sequences: [7, 6, 5, 4], total: 6 });
    expect(await list({ size: '4', page: '2' })).toEqual({ sequences: [2, 1], total: 6 });
    expect(await list({ size: '4', page: '3' })).toEqual({ sequences: [], total: 6 });
    expect((await list({ size: '2', page: '2', order: 'asc' })).sequences).toEqual([4, 5]);
  });

  it('continues from a cursor in either order', async () => {
    expect((await list({ size: '2', after: '5' })).sequences).toEqual([4, 2]);
    expect((await list({ size: '2', after: '5', order: 'asc' })).sequences).toEqual([6, 7]);
    expect((await list({ after: '0', order: 'asc' })).sequences).toEqual([1, 2, 4, 5, 6, 7]);
  });

  it('returns messages between two times, inclusive', async () => {
    const times = { fromTimestamp: '2023-05-08T02:00:00Z', toTimestamp: '2023-05-08T06:00:00+02:00' };
    expect(await list(times)).toEqual({ sequences: [6, 4, 2], total: 3 });
  });

  it("rejects another tenant's memory as not found", async () => {
    const foreign = { ...scope, tenantId: randomUUID() };
    await expect(listEvents.execute(foreign, listEventsParameters.parse({}))).rejects.toBeInstanceOf(MemoryNotFound);
  });
});
