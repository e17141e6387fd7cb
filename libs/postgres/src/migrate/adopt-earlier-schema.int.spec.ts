import { createTestDatabase, describeSchema, restoreReleasedDatabase, type TestDatabase } from '@turnkeeper/testing';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrateDatabase } from './migrate-database.js';

describe('a database that has run the migrations before the baseline', () => {
  let database: TestDatabase;
  let client: pg.Client;
  beforeEach(async () => {
    database = await createTestDatabase();
    await restoreReleasedDatabase(database.adminUrl);
    client = new pg.Client({ connectionString: database.adminUrl });
    await client.connect();
  });
  afterEach(async () => {
    await client.end();
    await database.drop();
  });

  const names = async (): Promise<readonly string[]> =>
    (await client.query<{ name: string }>('select name from schema_migrations order by id')).rows.map(
      ({ name }) => name,
    );
  /** Migration 0810 keeps counts in another form. */
  const RECOUNTED = ['actor_counts', 'session_activity', 'session_counts'];
  const countsIn = async (table: string) =>
    (await client.query(`select session_key, messages, binaries from ${table} order by session_key`)).rows as unknown[];
  /** Columns that migrations after the baseline add, of any table. */
  const ADDED = ['vectors'];
  /** Count and hash of the rows of each other table. */
  const content = async () => {
    const { rows } = await client.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'schema_migrations' order by 1`,
    );
    const found: { name: string; rows: number; hash: string }[] = [];
    for (const { name } of rows.filter((table) => !RECOUNTED.includes(table.name))) {
      const { rows: hashed } = await client.query<{ rows: number; hash: string }>(
        `select count(*)::int as rows, md5(string_agg(j.row, '' order by j.row)) as hash
           from ${name} t cross join lateral (select (to_jsonb(t) - $1::text[])::text as row) j`,
        [ADDED],
      );
      found.push({ name, ...hashed[0]! });
    }
    return found;
  };

  it('is continued by one of three processes, with its rows and the schema of a new one', async () => {
    const before = await content();
    expect(before.find(({ name }) => name === 'events')!.rows).toBeGreaterThan(100);
    const counts = await countsIn('session_counts');
    expect(counts.length).toBeGreaterThan(10);
    await Promise.all([1, 2, 3].map(() => migrateDatabase(database.adminUrl)));
    expect(await content()).toEqual(before);
    expect(await countsIn('session_activity')).toEqual(counts);

    const fresh = await createTestDatabase();
    try {
      expect(await names()).toEqual(await migrateDatabase(fresh.url));
      expect(await describeSchema(database.adminUrl)).toBe(await describeSchema(fresh.url));
    } finally {
      await fresh.drop();
    }
  });

  it.each([
    [
      'one of them is missing',
      `delete from schema_migrations where name = '0790_add_output_schema'`,
      /is 0770_find_questions_in_segments\..* run `migrate` of commit [0-9a-f]{8} first/,
    ],
    [
      'it was migrated in two parts',
      'alter table schema_migrations rename to log_migrations',
      /is one of log_migrations\..* run `migrate` of commit [0-9a-f]{8} first/,
    ],
  ])('is refused unchanged if %s', async (_, change, message) => {
    await client.query(change);
    const schema = await describeSchema(database.adminUrl);
    await expect(migrateDatabase(database.adminUrl)).rejects.toThrow(message);
    expect(await describeSchema(database.adminUrl)).toBe(schema);
    const { rows } = await client.query(`select to_regclass('schema_migrations') is not null as kept`);
    expect(rows).toEqual([{ kept: change.startsWith('delete') }]);
  });
});

it('functions of indexes and generated columns work without the schema in the search path, as in a restore', async () => {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  try {
    await migrateDatabase(database.url);
    await client.connect();
    await client.query(`set search_path = ''`);
    const { rows } = await client.query<{ terms: string[]; formed: unknown }>(
      `select public.record_terms(gen_random_uuid(), '/ada', 'running ailment') as terms,
              public.well_formed('{"a": "\\ud800"}') as formed`,
    );
    expect(rows).toEqual([{ terms: expect.arrayContaining([expect.any(String)]), formed: { a: '\ufffd' } }]);
  } finally {
    await client.end();
    await database.drop();
  }
});
