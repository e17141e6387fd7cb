import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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

  it('release their locks one by one, and stay if a later one fails', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'tk-migrations-'));
    try {
      await cp(fileURLToPath(new URL('../../migrations', import.meta.url)), dir, { recursive: true });
      await writeFile(
        join(dir, '9001_lock_agents.sql'),
        '-- Up Migration\nlock table agents in access exclusive mode;\ncreate table new_notes (tenant_id uuid, note text);',
      );
      // Fails if an earlier migration still holds a lock on the table.
      const locks = `select count(*) from pg_locks where relation = 'agents'::regclass and mode = 'AccessExclusiveLock'`;
      const granted = `has_table_privilege('turnkeeper_app', 'new_notes', 'insert')`;
      const check = `do $$ begin assert (${locks}) = 0; assert ${granted}; end $$;`;
      await writeFile(join(dir, '9002_look_at_locks.sql'), `-- Up Migration\n${check}`);
      await writeFile(join(dir, '9003_fail.sql'), '-- Up Migration\nselect 1 / 0;');
      await expect(migrateDatabase(database.url, dir)).rejects.toThrow('division by zero');
      const rows = await query<{ name: string }>(`select name from schema_migrations where name >= '9' order by id`);
      expect(rows.map(({ name }) => name)).toEqual(['9001_lock_agents', '9002_look_at_locks']);
      // Processes of the version before use the new table through triggers, as these roles.
      const [note] = await query(
        `select has_table_privilege('turnkeeper_app', 'new_notes', 'insert') as app,
                has_table_privilege('turnkeeper_system', 'new_notes', 'insert') as system, relrowsecurity as secured
           from pg_class where oid = 'new_notes'::regclass`,
      );
      expect(note).toEqual({ app: true, system: true, secured: true });

      await writeFile(join(dir, '9003_fail.sql'), '-- Up Migration\nselect 1;');
      expect(await migrateDatabase(database.url, dir)).toEqual(['9003_fail']);
    } finally {
      await rm(dir, { recursive: true });
    }
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
