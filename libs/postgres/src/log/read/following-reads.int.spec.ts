import type { SessionScope } from '@turnkeeper/application';
import { createTestDatabase, message, newSession, type TestDatabase } from '@turnkeeper/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TenantPool } from '../../connections/tenant-pool.js';
import { APPEND_BATCH, encodeBatch } from '../append/append-batch.js';
import { encodeRequest } from '../append/encode-request.js';
import { createEventStore, migrateDatabase } from '../../index.js';
import { UsageCounts } from '../../projections/usage/usage-counts.js';
import { TurnIndexer } from '../../search/turns/turn-indexer.js';
import { LogReader } from './log-reader.js';
import { PgSessionActivity } from './pg-session-activity.js';

const EVENTS = 5_000;
const SESSIONS = 500;
const PAGE = 50;

/**
 * A log follower starts when the log is small and continues on the same connection while it grows. Plans cached for the
 * first pages must still work for later ones, even before Postgres updates the table statistics.
 */
describe('a connection that has followed the log since it was small', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let scope: SessionScope;

  beforeAll(async () => {
    database = await createTestDatabase(migrateDatabase);
    const store = createEventStore({ databaseUrl: database.url });
    scope = await newSession(store);
    await store.append({ ...scope, events: [message()] });
    pool = new pg.Pool({ connectionString: database.url, max: 1 });
    const tables = ['events', 'sessions', 'turn_segments', 'session_activity'];
    for (const table of tables) {
      await pool.query(`alter table ${table} set (autovacuum_enabled = off)`);
    }
    await pool.query('analyze');
    // More calls than the number for which Postgres tries custom plans.
    for (let time = 0; time < 10; time += 1) {
      await reader().readLog(0, PAGE);
      await reader().readOutline(0, PAGE);
      await reader().readReferences(0, PAGE);
      await turns().catchUp(PAGE);
      await activity().catchUp(PAGE);
      await append();
      await purge();
    }
    for (let sequence = 1; sequence <= EVENTS / SESSIONS; sequence += 1) {
      await Promise.all(
        Array.from({ length: SESSIONS }, (_, session) =>
          store.append({ ...scope, sessionId: `session ${session}`, events: [message(`message ${sequence}`)] }),
        ),
      );
    }
    await store.close();
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  const tenants = () => new TenantPool(pool, undefined);
  const reader = () => new LogReader(pool, tenants(), new UsageCounts(tenants(), activity()));
  const append = () =>
    pool.query({
      ...APPEND_BATCH,
      values: encodeBatch([encodeRequest({ ...scope, sessionId: 'session 7', events: [message(), message()] })], true),
    });
  const purge = () => pool.query({ name: 'purge_expired', text: 'select purge_expired(1000)' });

  const turns = () => new TurnIndexer(pool, reader());
  const activity = () => new PgSessionActivity(pool, tenants());

  const fetchedSoFar = async (): Promise<[string, number][]> => {
    const { rows } = await pool.query<{ name: string; rows: number }>(
      `select relname as name, (seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 as rows from pg_stat_xact_user_tables
       where relname in ('events', 'sessions', 'memory_gates', 'turn_segments', 'session_activity') order by relname`,
    );
    return rows.map(({ name, rows: count }) => [name, count]);
  };
  /**
   * Rows fetched from each table during a read. Postgres adds to the counters that the connection has not flushed yet.
   */
  const fetched = async (read: () => Promise<unknown>): Promise<Record<string, number>> => {
    await pool.query('begin');
    const before = new Map(await fetchedSoFar());
    await read();
    const after = await fetchedSoFar();
    await pool.query('rollback');
    return Object.fromEntries(after.map(([name, count]) => [name, count - (before.get(name) ?? 0)]));
  };

  /** Index entries of the log's table that a read visits, whether or not it fetches their rows. */
  const entriesRead = async (read: () => Promise<unknown>): Promise<number> => {
    const soFar = async () => {
      const { rows } = await pool.query<{ entries: number }>(
        `select sum(pg_stat_get_xact_tuples_returned(indexrelid))::float8 as entries from pg_index
         where indrelid = 'events'::regclass`,
      );
      return rows[0]?.entries ?? 0;
    };
    await pool.query('begin');
    const before = await soFar();
    await read();
    const after = await soFar();
    await pool.query('rollback');
    return after - before;
  };

  it('reads a page without scanning the rest', async () => {
    expect(await fetched(() => reader().readLog(2_000, PAGE))).toMatchObject({
      events: PAGE,
      sessions: PAGE,
      memory_gates: PAGE,
    });
  });

  it('reads a page of a session without scanning the rest of the tenant', async () => {
    const page = {
      after: 2,
      types: ['message.appended'],
      order: 'oldest-first',
      limit: PAGE,
      maxBytes: 32_768,
    } as const;
    const read = () => reader().readSessionPage({ ...scope, sessionId: 'session 9' }, page);
    expect(await fetched(read)).toMatchObject({ events: EVENTS / SESSIONS - 2, sessions: 1 });
    expect(await entriesRead(read)).toBeLessThanOrEqual(2 * (EVENTS / SESSIONS));
  });

  it('reads the outline of a page without scanning the rest', async () => {
    expect(await fetched(() => reader().readOutline(2_000, PAGE))).toMatchObject({ events: PAGE });
  });

  it('reads a page of references without scanning the rest', async () => {
    expect(await fetched(() => reader().readReferences(2_000, PAGE))).toMatchObject({ events: PAGE });
  });

  it('indexes the turns of a page without scanning the rest', async () => {
    const { events, sessions, turn_segments: segments } = await fetched(() => turns().catchUp(PAGE));
    // Read, locked against deletion and matched; one session per event. Plus the newest event of the log.
    expect(events).toBeLessThanOrEqual(4 * PAGE + 1);
    expect(sessions).toBeLessThanOrEqual(2 * PAGE);
    expect(segments).toBeLessThanOrEqual(4 * PAGE);
  });

  it('indexes recent activity of a page without scanning the rest', async () => {
    await pool.query(`update question_cursor set position = 2000 where name = 'activity'`);
    const { events, session_activity: rows } = await fetched(() => activity().catchUp(PAGE));
    expect(events).toBeLessThanOrEqual(2 * PAGE + 1);
    expect(rows).toBeLessThanOrEqual(2 * PAGE);
  });

  it('appends without scanning existing events', async () => {
    const { events, sessions, memory_gates: gates } = await fetched(append);
    // The newest event of the log and of the session.
    expect(events).toBeLessThanOrEqual(2);
    expect({ sessions, gates }).toEqual({ sessions: 1, gates: 1 });
  });

  it('finds that nothing has expired without scanning future expiries', async () => {
    expect(await fetched(purge)).toMatchObject({ events: 0 });
  });
});
