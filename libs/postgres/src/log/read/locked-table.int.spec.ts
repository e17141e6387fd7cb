import { createTestDatabase, newSession, type TestDatabase } from '@turnkeeper/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEventStore, migrateDatabase, type PgEventStore } from '../../index.js';

const READERS = 2;

let database: TestDatabase;
let store: PgEventStore;
let operator: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase(migrateDatabase);
  const roles = { app: 'turnkeeper_app', system: 'turnkeeper_system' };
  store = createEventStore({ databaseUrl: database.url, roles, readers: READERS });
  operator = new pg.Client({ connectionString: database.url });
  await operator.connect();
});
afterAll(async () => {
  await operator?.end();
  await store?.close();
  await database?.drop();
});

it('gives up reads that wait for the lock of a whole table, so that others get their connections', async () => {
  const session = await newSession(store);
  await operator.query('begin');
  await operator.query('lock table turn_segments in access exclusive mode');
  const search = () => store.turns.search(session, { text: 'tea', limit: 1, scoreThreshold: 0, window: 0 });
  const blocked = Array.from({ length: READERS }, () => search());
  const outcomes = Promise.allSettled(blocked);
  expect(await store.readSession(session, { order: 'oldest-first', limit: 1 })).toEqual([]);
  expect(await outcomes).toMatchObject(blocked.map(() => ({ status: 'rejected', reason: { code: '55P03' } })));
  await operator.query('rollback');
});
