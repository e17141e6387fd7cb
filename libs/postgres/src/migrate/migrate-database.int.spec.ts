import { randomBytes } from 'node:crypto';
import { createTestDatabase, describeSchema, message, newSession, type TestDatabase } from '@turnkeeper/testing';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEventStore, migrateDatabase } from '../index.js';

describe('migrations', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database.drop());

  const query = async <R extends object>(text: string): Promise<R[]> => {
    const client = new pg.Client(database.adminUrl);
    await client.connect();
    try {
      return (await client.query<R>(text)).rows;
    } finally {
      await client.end();
    }
  };

  it('run once when ten processes start concurrently', async () => {
    const runs = await Promise.all(Array.from({ length: 10 }, () => migrateDatabase(database.url)));
    const [ran, ...others] = runs.toSorted((a, b) => b.length - a.length);
    expect(ran?.length).toBeGreaterThan(0);
    expect(others).toEqual(Array.from({ length: 9 }, () => []));
    const rows = await query<{ name: string }>('select name from schema_migrations order by id');
    expect(rows.map((row) => row.name)).toEqual(ran);
  });

  it('produce the schema in schema.sql', async () => {
    await migrateDatabase(database.url);
    await expect(await describeSchema(database.url)).toMatchFileSnapshot('../../schema.sql');
  });

  it('need no superuser, and neither does the store', async () => {
    const role = `tk_${randomBytes(6).toString('hex')}`;
    const name = new URL(database.url).pathname.slice(1);
    await query(`create role ${role} login password 'secret' nosuperuser nocreatedb nocreaterole`);
    try {
      await query(`alter database ${name} owner to ${role}`);
      const url = new URL(database.url);
      url.username = role;
      url.password = 'secret';
      await migrateDatabase(url.href);
      const store = createEventStore({ databaseUrl: url.href });
      const scope = await newSession(store);
      await store.append({ ...scope, events: [message()] });
      expect(await store.readSession(scope, { order: 'oldest-first', limit: 2 })).toHaveLength(1);
      await store.close();
    } finally {
      await query(`reassign owned by ${role} to current_user`);
      await query(`drop role ${role}`);
    }
  });
});
