import { wholeTenant } from '@turnkeeper/domain';
import { randomUUID } from 'node:crypto';
import { CreateMemory, EraseSessions, InsertRecords } from '@turnkeeper/application';
import { createMemoryBody } from '@turnkeeper/contracts';
import {
  createDataSource,
  createEventStore,
  DatabaseClock,
  EnvelopeCipher,
  migrateDatabase,
} from '@turnkeeper/postgres';
import { createTestDatabase, eventually, message, type TestDatabase } from '@turnkeeper/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createStores, type Stores } from '@turnkeeper/runtime';

const tenantId = randomUUID();
const PLAIN_TEXT = new EnvelopeCipher({ keys: [], sealing: false });
let database: TestDatabase;
let stores: Stores;
let rows: <T>(text: string, values?: unknown[]) => Promise<T[]>;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = await createTestDatabase(migrateDatabase);
  const dataSource = createDataSource({ url: database.url, poolSize: 8 });
  await dataSource.initialize();
  const eventStore = createEventStore({ databaseUrl: database.url, readers: 4 });
  closing.push(
    () => eventStore.close(),
    () => dataSource.destroy(),
  );
  stores = createStores({ dataSource, cipher: PLAIN_TEXT, eventStore, clock: await DatabaseClock.start(dataSource) });
  rows = (text, values) => dataSource.query(text, values);
});
afterAll(async () => {
  for (const close of closing) await close();
  await database.drop();
});

/** A memory with an actor who has spoken and this many inserted records. */
const given = async (inserted: number) => {
  const body = createMemoryBody.parse({
    name: 'races',
    longTermMemoryStrategies: [
      { name: 'old', type: 'SEMANTIC', namespaceTemplate: '/old/{actorId}' },
      { name: 'new', type: 'SEMANTIC', namespaceTemplate: '/new/{actorId}' },
    ],
  });
  const { memoryId } = (await new CreateMemory(stores).execute(tenantId, body)).memory;
  await stores.eventStore.append({ tenantId, memoryId, actorId: 'ada', sessionId: 'monday', events: [message()] });
  // A separate namespace: the lock on one that already has records would itself block the erasure.
  const insert = (text: string, using: Stores = stores, namespace = '/new/ada') =>
    new InsertRecords(using).execute(tenantId, memoryId, [{ text, namespace, strategyId: null }]);
  for (let index = 0; index < inserted; index += 1) await insert(`old ${index}`, stores, '/old/ada');
  const erase = (using: Stores = stores) => new EraseSessions(using).actor(wholeTenant(tenantId), memoryId, 'ada');
  return { memoryId, insert, erase };
};

/** Texts of the memory's records, and how many of them have no event in the log. */
const kept = async (memoryId: string) => {
  const records = await rows<{ text: string; accounted: boolean }>(
    `select r.text, exists (select from events e where e.event_id = r.event_id and e.tenant_id = r.tenant_id) as accounted
       from records r where r.memory_id = $1 order by r.text`,
    [memoryId],
  );
  return { texts: records.map(({ text }) => text), orphans: records.filter(({ accounted }) => !accounted).length };
};

/** Resolves when the work has finished or waits for a lock. */
const endedOrWaiting = async (work: Promise<unknown>): Promise<void> => {
  let ended = false;
  void work.then(
    () => (ended = true),
    () => (ended = true),
  );
  const waiting = async () =>
    (await rows('select 1 from pg_stat_activity where datname = current_database() and wait_event_type = $1', ['Lock']))
      .length > 0;
  await eventually(async () => ended || (await waiting()), { withinMs: 10_000, everyMs: 10, what: 'a decided race' });
};

it.each([0, 2])(
  'an insert during the erasure of an actor with %i inserted records comes after it',
  async (inserted) => {
    const { memoryId, insert, erase } = await given(inserted);
    let inserting: Promise<unknown> | undefined;
    // At the critical moment: the erasure has looked for records and not yet closed the sessions.
    const erasure: Stores['erasure'] = Object.create(stores.erasure, {
      closeSessions: {
        value: async (...values: Parameters<Stores['erasure']['closeSessions']>) => {
          inserting ??= insert('new');
          await endedOrWaiting(inserting);
          return stores.erasure.closeSessions(...values);
        },
      },
    });
    await erase({ ...stores, erasure });
    await inserting;
    expect(await kept(memoryId)).toEqual({ texts: ['new'], orphans: 0 });
  },
);

it.each([0, 2])(
  'the erasure of an actor with %i inserted records waits for an insert in progress',
  async (inserted) => {
    const { memoryId, insert, erase } = await given(inserted);
    let erasing: Promise<unknown> | undefined;
    const recordWriter: Stores['recordWriter'] = Object.create(stores.recordWriter, {
      save: {
        value: async (...values: Parameters<Stores['recordWriter']['save']>) => {
          await stores.recordWriter.save(...values);
          erasing = erase();
          await endedOrWaiting(erasing);
        },
      },
    });
    await insert('new', { ...stores, recordWriter });
    await erasing;
    expect(await kept(memoryId)).toEqual({ texts: [], orphans: 0 });
  },
);
