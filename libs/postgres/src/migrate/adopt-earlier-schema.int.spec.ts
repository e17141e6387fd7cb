import { createTestDatabase, describeSchema, restoreReleasedDatabase, type TestDatabase } from '@turnkeeper/testing';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEventStore } from '../log/create-event-store.js';
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

  interface Table {
    readonly name: string;
    readonly columns: string;
  }
  const tables = async (): Promise<readonly Table[]> =>
    (
      await client.query<Table>(
        `select c.relname as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
           from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' group by 1 order by 1`,
      )
    ).rows;
  /** Migrations 0760 and 0770 keep turns and questions in another form: see below. */
  const REPLACED = ['turns', 'turn_words', 'turn_sessions', 'questions'];
  /** Count and hash of the rows of each table. */
  const content = async (of: readonly Table[]) => {
    const found: { name: string; rows: number; hash: string }[] = [];
    for (const { name, columns } of of.filter((table) => !REPLACED.includes(table.name))) {
      const { rows } = await client.query<{ rows: number; hash: string }>(
        `select count(*)::int as rows, md5(string_agg(t::text, '' order by t::text)) as hash
           from (select ${columns} from ${name} ${name === 'question_cursor' ? `where name not in ('turns', 'questions')` : ''}) t`,
      );
      found.push({ name, ...rows[0]! });
    }
    return found;
  };

  it.each([
    ['the last migration of the log', 'select', 0],
    [
      'the last one but for functions',
      `delete from log_migrations where name > '0300'; drop function head_position()`,
      0,
    ],
    // Turns that were interrupted are indexed again.
    ['the last one, without interruptions,', `delete from events where type = 'message.interrupted'`, 1],
  ])(
    'at %s is continued by one of three processes, with its rows and the schema of a new one',
    async (_, change, shareOfTurns) => {
      await client.query(change);
      const released = await tables();
      const before = await content(released);
      expect(before.find(({ name }) => name === 'events')!.rows).toBeGreaterThan(100);
      const { turns } = (await client.query<{ turns: number }>('select count(*)::int as turns from turns')).rows[0]!;
      expect(turns).toBeGreaterThan(50);
      const runs = await Promise.all([1, 2, 3].map(() => migrateDatabase(database.adminUrl)));
      expect(runs.flat()).not.toContain('0001_baseline');
      expect(new Set(runs.flat()).size).toBe(runs.flat().length);
      expect(await content(released)).toEqual(before);
      const { rows } = await client.query('select coalesce(sum(turns), 0)::int as turns from turn_segments');
      expect(rows[0]).toEqual({ turns: shareOfTurns * turns });
      const store = createEventStore({ databaseUrl: database.adminUrl });
      expect(await store.turns.rebuild({ onlyCompare: true })).toMatchObject({ missing: 0, surplus: 0, changed: 0 });
      await store.close();

      const fresh = await createTestDatabase();
      try {
        await migrateDatabase(fresh.url);
        expect(await describeSchema(database.adminUrl)).toBe(await describeSchema(fresh.url));
      } finally {
        await fresh.drop();
      }
    },
  );

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
