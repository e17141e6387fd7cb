import type { SessionScope } from '@turnkeeper/application';
import { message, messages, newSession, recordsExtracted } from '@turnkeeper/testing';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { auditLog, type PgEventStore } from '../../index.js';
import { LogDatabase } from '../../testing/log-database.js';

describe('old tombstones', () => {
  let log: LogDatabase;
  let store: PgEventStore;
  let pool: pg.Pool;
  beforeAll(async () => {
    log = await LogDatabase.create({ asAdmin: true });
    ({ store, pool } = log);
  });
  afterAll(() => log?.close());
  let scope: SessionScope;
  beforeEach(async () => {
    scope = await newSession(store);
  });

  const sql = async <T>(text: string, values: unknown[] = []) => (await pool.query(text, values)).rows as T[];
  /** Simulates expiry up to this sequence. */
  const expire = async (through: number, of = scope) => {
    await pool.query(`begin; set local turnkeeper.change = 'expiry';
      update events set expires_at = now() where memory_id = '${of.memoryId}' and sequence <= ${through}; commit`);
    await store.erasure.purgeExpired();
    // Moves the head of the log forward: tombstones at the head are never merged.
    await newSession(store);
  };
  /** Backdates all existing tombstones and erasures. */
  const age = () =>
    pool.query(`begin; set local session_replication_role = replica;
      update tombstones set at = at - interval '40 days';
      update closed_sessions set purged_at = purged_at - interval '40 days'; commit`);
  const merge = () => store.erasure.mergeTombstones(30);
  const keyOf = async (of = scope) =>
    Number(
      (await sql<{ k: string }>('select session_key as k from sessions where memory_id = $1', [of.memoryId]))[0]?.k,
    );
  const tombstones = async (key: number) =>
    (
      await sql<{ n: string }>('select sequence as n from tombstones where session_key = $1 order by sequence', [key])
    ).map(({ n }) => Number(n));
  const sequences = (key: number) =>
    sql('select first::int, last::int, reason from buried_sequences where session_key = $1 order by first', [key]);
  const isSound = async () => expect((await auditLog(log.url)).findings).toEqual([]);
  const append = async (count = 1) => (await store.append({ ...scope, events: messages(count) })).firstSequence;

  it('keep the highest sequence of an empty session, which continues from it', async () => {
    await append(7);
    await expire(7);
    await age();
    await merge();
    const key = await keyOf();
    expect(await tombstones(key)).toEqual([7]);
    expect(await sequences(key)).toEqual([{ first: 1, last: 6, reason: 'expired' }]);
    expect(await store.sessionSequence(scope)).toBe(7);
    await isSound();
    expect(await append()).toBe(8);
    await expire(8);
    await age();
    await merge();
    expect(await tombstones(key)).toEqual([8]);
    expect(await sequences(key)).toEqual([{ first: 1, last: 7, reason: 'expired' }]);
    expect(await append()).toBe(9);
    await isSound();
  });

  it('are removed completely if the session has newer events, and after it continues', async () => {
    await append(5);
    await expire(3);
    await age();
    await merge();
    const key = await keyOf();
    expect(await tombstones(key)).toEqual([]);
    expect(await append()).toBe(6);
    await expire(6);
    await age();
    await merge();
    expect([await tombstones(key), await append()]).toEqual([[6], 7]);
    await isSound();
  });

  it('stay until they are old enough', async () => {
    await append(3);
    await expire(3);
    await merge();
    expect(await tombstones(await keyOf())).toEqual([1, 2, 3]);
  });

  it('of adjacent sessions merge into one range of positions', async () => {
    const other = { ...scope, sessionId: 'other' };
    for (let n = 0; n < 50; n += 1) {
      await append();
      await store.append({ ...other, events: [message()] });
    }
    const last = await newSession(store);
    await store.append({ ...last, events: [message()] });
    await expire(50);
    await expire(1, last);
    const ranges = async () =>
      sql<{ n: number }>(
        `select count(*)::int as n from buried_positions b
          where exists (select from events e where e.memory_id = $1 and e.position between b.first - 110 and b.first)`,
        [scope.memoryId],
      );
    await age();
    await merge();
    expect((await ranges())[0]?.n).toBeLessThanOrEqual(2);
    await isSound();
  });

  it('of individually erased events are distinct from expired ones', async () => {
    await append(4);
    const events = await store.readSession(scope, { order: 'oldest-first', limit: 4 });
    await log.transaction((tx) => store.erasure.eraseEvent(tx, events[1]!));
    await expire(3);
    await age();
    await merge();
    const key = await keyOf();
    const trace = () =>
      store.provenance.traceSources(
        scope.tenantId,
        events.map(({ eventId, sequence }) => ({
          eventId,
          sessionKey: key,
          sequence: sequence!,
          role: 'user',
          quote: '',
        })),
      );
    const states = new Map((await trace()).map(({ eventId, state }) => [eventId, state]));
    expect(events.map(({ eventId }) => states.get(eventId))).toEqual(['expired', 'erased', 'expired', 'readable']);
    await isSound();
  });

  it('of erased sessions are removed completely, including the session row', async () => {
    await append(5);
    await store.append({ ...scope, events: [recordsExtracted()] });
    await expire(2);
    await age();
    await merge();
    const key = await keyOf();
    const erased = { ...scope, sessionId: null };
    await log.transaction(async (tx) => {
      await store.erasure.lockSessions(tx, erased);
      await store.erasure.closeSessions(tx, erased);
    });
    await store.erasure.purgeSessions(null);
    await merge();
    expect(await sql('select 1 from closed_sessions where session_key = $1', [key])).toHaveLength(1);
    const later = await newSession(store);
    await store.append({ ...later, events: [message()] });
    await expire(1, later);
    await age();
    await pool.query(`begin; set local session_replication_role = replica;
      update tombstones set at = now() where session_key in (select session_key from sessions where memory_id = '${later.memoryId}'); commit`);
    await merge();
    await merge();
    expect(await tombstones(key)).toEqual([]);
    expect(await sequences(key)).toEqual([]);
    expect(await sql('select 1 from closed_sessions where session_key = $1', [key])).toEqual([]);
    await isSound();
  });

  it('preserve the sequences of every session while appends, expiry and merges race', async () => {
    const given: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      const appends = Array.from({ length: 6 }, () => store.append({ ...scope, events: [message()] }));
      await Promise.all([expire(1_000), store.erasure.mergeTombstones(0), store.erasure.mergeTombstones(0)]);
      for (const { firstSequence } of await Promise.all(appends)) given.push(firstSequence!);
    }
    expect(given.sort((a, b) => a - b)).toEqual(Array.from({ length: 48 }, (_, n) => n + 1));
    await isSound();
  });

  it('cannot be changed by anything else', async () => {
    await expect(pool.query('delete from buried_positions')).rejects.toThrow(/never edited/);
    await expect(pool.query('update buried_sequences set last = last + 1')).rejects.toThrow(/never edited/);
    await expect(pool.query('update tombstones set kept = true')).rejects.toThrow(/never edited/);
  });

  it('are scanned only as far as they are due', async () => {
    await pool.query(`begin; set local session_replication_role = replica;
      insert into tombstones (partition, position, tenant_id, session_key, sequence, reason, at, kept)
      select 1, n, gen_random_uuid(), null, null, 'expired', now() - make_interval(days => case when n <= 500000 then 60 else 0 end), n <= 500000
      from generate_series(1, 1000000) n; commit`);
    await pool.query('vacuum analyze tombstones');
    await append(3);
    await expire(3);
    const client = await pool.connect();
    try {
      await client.query('begin');
      const { rows } = await client.query(
        `explain (analyze, buffers, format json) select merge_tombstones(30, 5000), forget_closed_sessions(30, 5000)`,
      );
      const { Plan } = rows[0]['QUERY PLAN'][0];
      expect(Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks']).toBeLessThan(3_000);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});
