import { createTestDatabase, type TestDatabase } from '@turnkeeper/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEventStore, migrateDatabase } from '../index.js';

let database: TestDatabase;
let admin: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase(migrateDatabase);
  admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await database.drop();
});

const found = async (): Promise<readonly string[]> => {
  const store = createEventStore({ databaseUrl: database.url });
  try {
    return await store.settingsThatLoseCommits();
  } finally {
    await store.close();
  }
};

it('reports a database default that voids commit durability', async () => {
  expect(await found()).not.toContain('synchronous_commit');
  const { rows } = await admin.query<{ name: string }>('select current_database() as name');
  await admin.query(`alter database ${admin.escapeIdentifier(rows[0]!.name)} set synchronous_commit = off`);
  expect(await found()).toContain('synchronous_commit');
});

it('keeps the URL options alongside its own', async () => {
  const store = createEventStore({
    databaseUrl: `${database.url}?options=${encodeURIComponent('-c synchronous_commit=local')}`,
  });
  expect(await store.settingsThatLoseCommits()).not.toContain('synchronous_commit');
  await store.close();
});
