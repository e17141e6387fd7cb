import { randomUUID } from 'node:crypto';
import type { SessionScope } from '@turnkeeper/application';
import { message, newSession } from '@turnkeeper/testing';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PgEventStore } from '../../index.js';
import { LogDatabase } from '../../testing/log-database.js';

describe('sessions by recency', () => {
  let log: LogDatabase;
  let store: PgEventStore;
  let pool: pg.Pool;
  let memory: SessionScope;
  beforeAll(async () => {
    log = await LogDatabase.create();
    ({ store, pool } = log);
  });
  beforeEach(async () => {
    memory = await newSession(store);
  });
  afterAll(() => log?.close());

  const say = (sessionId: string, actorId = 'ada') =>
    store.append({ ...memory, actorId, sessionId, events: [message()] });
  const list = async (read: { actorId?: string; after?: number; limit?: number } = {}) =>
    store.recentSessions.list(memory.tenantId, memory.memoryId, { limit: 100, ...read });
  const names = async (read: Parameters<typeof list>[0] = {}) => (await list(read)).map(({ sessionId }) => sessionId);
  const erase = (sessionId: string) =>
    log.transaction((tx) => store.erasure.closeSessions(tx, { ...memory, actorId: 'ada', sessionId }));

  it('include what was appended just now, and follow new activity', async () => {
    for (const session of ['one', 'two', 'three']) await say(session);
    expect(await names()).toEqual(['three', 'two', 'one']);
    await say('one');
    expect(await names()).toEqual(['one', 'three', 'two']);
    const [newest] = await list({ limit: 1 });
    expect(newest).toMatchObject({ actorId: 'ada', sessionId: 'one', lastEventAt: expect.any(String) });
  });

  it('count their messages once these are indexed', async () => {
    await say('one');
    await say('one');
    await store.turns.catchUp(10_000);
    expect(await list()).toMatchObject([{ sessionId: 'one', messages: 2 }]);
  });

  it('are filtered by actor, and are never those of another tenant or memory', async () => {
    await say('hers');
    await say('his', 'ben');
    expect(await names({ actorId: 'ben' })).toEqual(['his']);
    expect(await names({ actorId: 'nobody' })).toEqual([]);
    const read = { limit: 100 };
    expect(await store.recentSessions.list(randomUUID(), memory.memoryId, read)).toEqual([]);
    expect(await store.recentSessions.list(memory.tenantId, randomUUID(), read)).toEqual([]);
  });

  it('are paged without repeats while a session becomes active', async () => {
    for (let index = 0; index < 6; index += 1) await say(`s${index}`);
    const first = await list({ limit: 3 });
    await say('s4');
    await say('s1');
    await store.recentSessions.catchUp(10_000);
    const rest = await names({ after: first.at(-1)!.lastPosition });
    expect([...first.map(({ sessionId }) => sessionId), ...rest]).toEqual(['s5', 's4', 's3', 's2', 's0']);
  });

  it('lose erased sessions, whose names can be used again', async () => {
    await say('one');
    await say('two');
    await names();
    await erase('one');
    expect(await names()).toEqual(['two']);
    const left = await pool.query('select 1 from session_activity where memory_id = $1', [memory.memoryId]);
    expect(left.rowCount).toBe(1);
    await say('one');
    expect(await names()).toEqual(['one', 'two']);
  });

  it('leave nothing of a session that is erased while it is indexed', async () => {
    await say('one');
    await log.transaction(async (tx, client) => {
      await store.erasure.closeSessions(tx, { ...memory, actorId: 'ada', sessionId: 'one' });
      const indexing = store.recentSessions.catchUp(10_000);
      const waiting = async () =>
        (
          await pool.query(
            `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).rowCount! > 0;
      while (!(await waiting()));
      await client.query('commit; begin');
      await indexing;
    });
    const { rowCount } = await pool.query('select 1 from session_activity where memory_id = $1', [memory.memoryId]);
    expect(rowCount).toBe(0);
  });

  it('read only the page, by index', async () => {
    await say('one');
    await names();
    await pool.query(
      `insert into session_activity select -n, $1, $2, activity_actor($1, $2, (n % 100)::text), -n, now()
         from generate_series(1, 20000) n`,
      [memory.tenantId, memory.memoryId],
    );
    await pool.query('analyze session_activity');
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
      `explain select last_position from session_activity a
        where a.tenant_id = $1 and a.memory_id = $2 and a.actor_key = activity_actor($1, $2, '7') and a.last_position < 10
        order by a.last_position desc limit 10`,
      [memory.tenantId, memory.memoryId],
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('session_activity_of_actor');
    expect(plan).not.toContain('Sort');
  });
});
