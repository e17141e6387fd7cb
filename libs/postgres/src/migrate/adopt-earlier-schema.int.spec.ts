import { createTestDatabase, describeSchema, restoreReleasedDatabase, type TestDatabase } from '@turnkeeper/testing';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrateDatabase } from './migrate-database.js';

describe('a database whose schema was migrated in two parts', () => {
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

  const tables = async (): Promise<string[]> => {
    const { rows } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
    );
    return rows.map(({ name }) => name).filter((name) => name !== 'schema_migrations');
  };
  /** A hash of the rows of each table. */
  const content = async (): Promise<Record<string, string>> => {
    const hashes: Record<string, string> = {};
    for (const table of await tables()) {
      const { rows } = await client.query<{ hash: string }>(
        `select count(*) || md5(coalesce(string_agg(t::text, '' order by t::text), '')) as hash from ${table} t`,
      );
      hashes[table] = rows[0]!.hash;
    }
    return hashes;
  };

  it('is continued by one of three concurrent processes, with the rows it has and the schema of a new database', async () => {
    const before = await content();
    const runs = await Promise.all([1, 2, 3].map(() => migrateDatabase(database.adminUrl)));
    expect(runs.flat()).not.toContain('0001_baseline');
    expect(new Set(runs.flat()).size).toBe(runs.flat().length);
    expect(await content()).toEqual(before);
    expect(Number(before.events?.slice(0, 3))).toBeGreaterThan(100);

    const fresh = await createTestDatabase();
    try {
      await migrateDatabase(fresh.url);
      expect(await describeSchema(database.adminUrl)).toBe(await describeSchema(fresh.url));
    } finally {
      await fresh.drop();
    }
  });

  it('is refused unchanged if an earlier version migrated it last', async () => {
    await client.query(`delete from read_model_migrations where name = '0300_keep_vendor_agents'`);
    await expect(migrateDatabase(database.adminUrl)).rejects.toThrow(
      /at .* 0281_create_graph_items of read_model_migrations.* run `migrate` of the last version/,
    );
    const { rows } = await client.query(`select to_regclass('schema_migrations') as created`);
    expect(rows).toEqual([{ created: null }]);
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
