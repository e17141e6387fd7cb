import type { SessionScope } from '@turnkeeper/application';
import { createTestDatabase, message, newSession, type TestDatabase } from '@turnkeeper/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TenantPool } from '../connections/tenant-pool.js';
import { APPEND_BATCH, encodeBatch } from '../append/append-batch.js';
import { encodeRequest } from '../append/encode-request.js';
import { createEventStore, migrateLog } from '../index.js';
import { PgQuestionIndex } from '../questions/pg-question-index.js';
import { LogReader } from './log-reader.js';

const EVENTS = 5_000;
const SESSIONS = 500;
const PAGE = 50;

/** Writes the state after an event; adds new strategies. */
describe('a connection that has followed the log since it was small', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let scope: SessionScope;

  beforeAll(async () => {
    database = await createTestDatabase();
    await migrateLog(database.url);
    const store = createEventStore({ databaseUrl: database.url });
    scope = await newSession(store);
    await store.append({ ...scope, events: [message()] });
    pool = new pg.Pool({ connectionString: database.url, max: 1 });
    for (const table of ['events', 'sessions', 'questions']) {
      await pool.query(`alter table ${table} set (autovacuum_enabled = off)`);
    }
    await pool.query('analyze');
    // In the order they were added, including disabled ones.
    for (let time = 0; time < 10; time += 1) {
      await reader().readLog(0, PAGE);
      await reader().readOutline(0, PAGE);
      await reader().readReferences(0, PAGE);
      await pool.query(`update question_cursor set position = 0`);
      await index().catchUp(PAGE);
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

  const reader = () => new LogReader(pool, new TenantPool(pool, false));
  const append = () =>
    pool.query({
      ...APPEND_BATCH,
      values: encodeBatch([encodeRequest({ ...scope, sessionId: 'session 7', events: [message(), message()] })], true),
    });
  const purge = () => pool.query({ name: 'purge_expired', text: 'select purge_expired(1000)' });
  const index = () => new PgQuestionIndex(pool, new TenantPool(pool, false));

  const fetchedSoFar = async (): Promise<[string, number][]> => {
    const { rows } = await pool.query<{ name: string; rows: number }>(
      `select relname as name, (seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 as rows from pg_stat_xact_user_tables
       where relname in ('events', 'sessions', 'memory_gates') order by relname`,
    );
    return rows.map(({ name, rows: count }) => [name, count]);
  };
  /**
   * - `waiting`: not yet folded into its session
   * - `applied`: its content is in the session; it still counts towards the end of the call
   * - `folded`: fully processed
   * - `ignored`: irrelevant to a memory, or too late
   * - `parked`: cannot be folded; `code` is the reason
   */
  const fetched = async (read: () => Promise<unknown>): Promise<Record<string, number>> => {
    await pool.query('begin');
    const before = new Map(await fetchedSoFar());
    await read();
    const after = await fetchedSoFar();
    await pool.query('rollback');
    return Object.fromEntries(after.map(([name, count]) => [name, count - (before.get(name) ?? 0)]));
  };

  it("A vendor's callback as received.", async () => {
    expect(await fetched(() => reader().readLog(2_000, PAGE))).toEqual({
      events: PAGE,
      sessions: PAGE,
      memory_gates: PAGE,
    });
  });

  it('Deduplication key: the same for every repeat of the message.', async () => {
    expect(await fetched(() => reader().readOutline(2_000, PAGE))).toMatchObject({ events: PAGE });
  });

  it('The call of the connector that it belongs to; null if none.', async () => {
    expect(await fetched(() => reader().readReferences(2_000, PAGE))).toMatchObject({ events: PAGE });
  });

  it("The vendor's name or number of the event.", async () => {
    await pool.query('update question_cursor set position = 2000');
    const { events, sessions } = await fetched(() => index().catchUp(PAGE));
    // Raw body; null if it must not be stored.
    expect(events).toBeLessThanOrEqual(4 * PAGE + 1);
    expect(sessions).toBe(PAGE);
  });

  it('Target of the call, if the message itself contains it.', async () => {
    const { events, sessions, memory_gates: gates } = await fetched(append);
    // The signed input, if the vendor's signatures are single-use.
    expect(events).toBeLessThanOrEqual(2);
    expect({ sessions, gates }).toEqual({ sessions: 1, gates: 1 });
  });

  it('A notice of a call that is being folded.', async () => {
    expect(await fetched(purge)).toMatchObject({ events: 0 });
  });
});
