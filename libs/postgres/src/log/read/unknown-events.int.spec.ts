import type { SessionScope } from '@turnkeeper/application';
import { createTestDatabase, message, newSession, type TestDatabase } from '@turnkeeper/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEventStore, migrateDatabase, observeUnknownEvents } from '../../index.js';

/** After a rollback, a release finds events of its successor in the log. */
describe('events written by a later release', () => {
  let database: TestDatabase;
  let store: ReturnType<typeof createEventStore>;
  let scope: SessionScope;
  const seen: string[] = [];

  beforeAll(async () => {
    database = await createTestDatabase(migrateDatabase);
    store = createEventStore({ databaseUrl: database.url });
    scope = await newSession(store);
    await store.append({ ...scope, events: [message('first'), message('second'), message('third')] });
    const client = new pg.Client({ connectionString: database.adminUrl });
    await client.connect();
    await client.query('set session_replication_role = replica'); // disables triggers that reject edits
    await client.query(`update events set type = 'message.sung' where sequence = 1`);
    await client.query(`update events set schema_version = 9, data = '{"melody":[1]}' where sequence = 2`);
    await client.end();
    observeUnknownEvents((type, version) => seen.push(`${type} ${version}`));
  });
  afterAll(async () => {
    observeUnknownEvents(() => undefined);
    await store.close();
    await database.drop();
  });

  it('are returned unchanged and counted, and neighbouring events are read as usual', async () => {
    const events = (await store.readLog(0, 100)).filter(({ sequence }) => sequence !== null);
    expect(events.map(({ type, schemaVersion, data }) => [type, schemaVersion, data])).toEqual([
      ['message.sung', 1, message('first').data],
      ['message.appended', 9, { melody: [1] }],
      ['message.appended', 1, message('third').data],
    ]);
    expect(seen).toEqual(['message.sung 1', 'message.appended 9']);
  });

  it('do not block further appends to their session', async () => {
    expect(await store.append({ ...scope, events: [message('fourth')] })).toMatchObject({ firstSequence: 4 });
  });
});
