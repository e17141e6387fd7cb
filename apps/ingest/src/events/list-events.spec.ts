import { ListEvents, readNewest, type MemoryStore } from '@turnkeeper/application';
import { everything } from '@turnkeeper/domain';
import { InMemoryEventStore, message, newSession } from '@turnkeeper/testing';
import { expect, it } from 'vitest';

const MEGABYTE = 1_048_576;
const memories = { find: async () => ({}) } as unknown as MemoryStore;

it('ends a page of large events early, with a cursor for the rest', async () => {
  const eventStore = new InMemoryEventStore();
  const scope = await newSession(eventStore);
  for (let event = 0; event < 5; event += 1) {
    await eventStore.append({ ...scope, events: [message('x'.repeat(3 * MEGABYTE))] });
  }
  const list = new ListEvents({ eventStore, memories });
  const pages: (number | null)[][] = [];
  let next: number | null | undefined;
  for (let after: number | undefined; next !== null; after = next ?? undefined) {
    const page = await list.execute(scope, { page: 1, size: 100, order: 'asc', after });
    pages.push(page.rows.map(({ sequence }) => sequence));
    next = page.next;
  }
  expect(pages).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
});

it('reports no next page after a full last page', async () => {
  const eventStore = new InMemoryEventStore();
  const scope = await newSession(eventStore);
  await eventStore.append({ ...scope, events: [message(), message()] });
  const list = new ListEvents({ eventStore, memories });
  expect((await list.execute(scope, { page: 1, size: 2, order: 'desc' })).next).toBeNull();
  expect((await list.execute(scope, { page: 1, size: 1, order: 'desc' })).next).toBe(2);
});

it('returns the newest messages of a history within the memory limit', async () => {
  const eventStore = new InMemoryEventStore();
  const scope = await newSession(eventStore);
  for (let event = 0; event < 30; event += 1) {
    await eventStore.append({ ...scope, events: [message(`${event} ${'x'.repeat(MEGABYTE)}`)] });
  }
  const newest = await readNewest(eventStore, scope, { size: 1_000, hides: everything });
  expect(newest.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 16 }, (_, index) => index + 15));
});
