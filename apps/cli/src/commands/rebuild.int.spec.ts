import { createEventStore, migrateLog } from '@turnkeeper/event-store';
import { createDataSource, migrateReadModels, rowsOf } from '@turnkeeper/read-models';
import { createTestDatabase, type TestDatabase } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RandomLife } from '../testing/random-life.js';
import { createRebuild } from './rebuild.js';

describe('a rebuild from the log', () => {
  let database: TestDatabase;
  let dataSource: ReturnType<typeof createDataSource>;
  let eventStore: ReturnType<typeof createEventStore>;
  beforeAll(async () => {
    database = await createTestDatabase();
    await migrateLog(database.url).catch(() => undefined);
    await migrateReadModels(database.url);
    dataSource = createDataSource({ url: `${database.url}?options=-c%20synchronous_commit%3Doff`, poolSize: 6 });
    await dataSource.initialize();
    eventStore = createEventStore({ databaseUrl: database.url, readers: 4 });
  });
  afterAll(async () => {
    await eventStore.close();
    await dataSource.destroy();
    await database.drop();
  });

  const rebuild = (onlyCompare = false) => createRebuild(dataSource, eventStore).execute({ onlyCompare });
  const rows = <T>(text: string, values: unknown[] = []) => rowsOf<T>(dataSource, text, values);

  it.each(Array.from({ length: 30 }, (_, index) => `life ${index}`))(
    'gives equal hashes after anything may have happened: %s',
    async (seed) => {
      const life = new RandomLife(dataSource, eventStore, seed);
      await life.begin();
      const happened = await life.live(250);
      console.log(JSON.stringify(happened)); const report = await rebuild(true);
      expect({ seed, happened, drift: report.drift }).toMatchObject({ drift: [] });
      expect(report.rebuilt).toEqual(report.before);
    },
  );
});
