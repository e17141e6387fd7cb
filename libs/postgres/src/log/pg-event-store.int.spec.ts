import { createTestDatabase, eventStoreLaws } from '@turnkeeper/testing';
import pg from 'pg';
import { createEventStore, migrateDatabase } from '../index.js';

for (const lanes of [1, 3]) {
  eventStoreLaws(`The log on Postgres with ${lanes} lane(s)`, async () => {
    const database = await createTestDatabase(migrateDatabase);
    const store = createEventStore({ databaseUrl: database.url, lanes });
    return {
      store,
      letEventsExpire: () => expireEvents(database.url),
      close: async () => {
        await store.close();
        await database.drop();
      },
    };
  });
}

/** Simulates 365 days passing. Stored events are read-only, so this sets the guard's keyword. */
const expireEvents = async (databaseUrl: string): Promise<void> => {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query(`
    set turnkeeper.change = 'expiry';
    update events set expires_at = now() - interval '1 second' where expires_at is not null`);
  await client.end();
};
