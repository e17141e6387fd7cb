import { randomInt, randomUUID } from 'node:crypto';
import type { SessionScope } from '@turnkeeper/application';
import type { NewEvent } from '@turnkeeper/domain';
import { creation, message, recordsExtracted, rowsReadBySteps, type ExplainedRow } from '@turnkeeper/testing';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PgEventStore } from '../../index.js';
import { LogDatabase } from '../../testing/log-database.js';
import { MEMORY_USAGE, SESSION_USAGE } from './usage-counts.js';

/** The planner may read a small table as a whole: those of counters have a row per session. */
const FEW = 400;

const CLIENT_TYPES = ['message.appended', 'binary.appended'] as const;

/** The same figures, counted from the rows. $1 tenant, $2 memory */
const COUNTED = `
  select count(distinct s.actor_id)::float8 as actors, count(*)::float8 as sessions,
         coalesce(sum(n.messages), 0)::float8 as messages, coalesce(sum(n.binaries), 0)::float8 as "binaryEvents"
    from sessions s cross join lateral (
      select count(*) filter (where e.type = 'message.appended') as messages,
             count(*) filter (where e.type = 'binary.appended') as binaries
        from events e where e.session_key = s.session_key and (e.expires_at is null or e.expires_at > now())
    ) n
   where s.tenant_id = $1 and s.memory_id = $2 and s.session_id >= chr(2)`;

const binary = () =>
  ({
    eventId: randomUUID(),
    type: 'binary.appended',
    schemaVersion: 1,
    occurredAt: null,
    data: { payloadType: 'BINARY', contentType: 'text/plain', content: 'AAAA' },
  }) as unknown as NewEvent;

/** More events than any test appends. */
const MANY = 100_000;

describe('stored counts', () => {
  let log: LogDatabase;
  let store: PgEventStore;
  let pool: pg.Pool;
  beforeAll(async () => {
    log = await LogDatabase.create();
    ({ store, pool } = log);
  });
  afterAll(() => log?.close());

  const newMemory = async () => {
    const { tenantId, memoryId, ...request } = creation();
    await store.append({ tenantId, memoryId, ...request });
    return { tenantId, memoryId };
  };
  type Memory = Awaited<ReturnType<typeof newMemory>>;
  const sessionOf = (memory: Memory, sessionId: string, actorId = 'ada'): SessionScope => ({
    ...memory,
    actorId,
    sessionId,
  });
  const eraseFirst = async (scope: SessionScope): Promise<void> => {
    const [event] = await store.readSession(scope, { order: 'oldest-first', limit: 1, types: CLIENT_TYPES });
    if (event !== undefined) await log.transaction((tx) => store.erasure.eraseEvent(tx, event));
  };
  const expire = async ({ memoryId, actorId, sessionId }: SessionScope): Promise<void> => {
    await log.transaction(async (tx) => {
      await tx.query(`select set_config('turnkeeper.change', 'expiry', true)`);
      await tx.query(
        `update events e set expires_at = now() - interval '1 second' from sessions s
          where s.session_key = e.session_key and s.memory_id = $1 and s.actor_id = $2 and s.session_id = $3`,
        [memoryId, actorId, sessionId],
      );
    });
  };
  const counted = async ({ tenantId, memoryId }: Memory) =>
    (await pool.query<Record<string, number>>(COUNTED, [tenantId, memoryId])).rows[0];
  const usage = ({ tenantId, memoryId }: Memory) => store.directory.usage(tenantId, memoryId);
  const expectExact = async (memory: Memory): Promise<void> => {
    expect(await usage(memory)).toEqual(await counted(memory));
  };

  it('include everything committed before, and follow erasures, expiry and purges', async () => {
    const memory = await newMemory();
    const [monday, tuesday] = [sessionOf(memory, 'monday'), sessionOf(memory, 'tuesday')];
    expect(await usage(memory)).toEqual({ actors: 0, sessions: 0, messages: 0, binaryEvents: 0 });
    await store.append({ ...monday, events: [message(), binary(), message()] });
    await store.append({ ...monday, events: [recordsExtracted()] });
    expect(await usage(memory)).toEqual({ actors: 1, sessions: 1, messages: 2, binaryEvents: 1 });
    // Hidden sessions are not counted.
    await store.append({ ...sessionOf(memory, '\u0001id\u0001monday'), events: [message()] });
    await store.append({ ...tuesday, events: [message()] });
    await store.append({ ...sessionOf(memory, 'monday', 'eve'), events: [message()] });
    expect(await usage(memory)).toEqual({ actors: 2, sessions: 3, messages: 4, binaryEvents: 1 });
    expect(await store.directory.findSession(monday)).toMatchObject({ events: 3 });
    expect(await store.countSession(monday, { types: CLIENT_TYPES })).toBe(3);
    expect(await store.countSession(monday, { types: ['binary.appended'] })).toBe(1);
    expect((await store.directory.listActors(memory.tenantId, memory.memoryId, { limit: 1, offset: 0 })).total).toBe(2);
    const ofAda = store.directory.listSessions(memory.tenantId, memory.memoryId, 'ada', { limit: 1, offset: 0 });
    expect((await ofAda).total).toBe(2);

    await eraseFirst(monday);
    expect(await usage(memory)).toEqual({ actors: 2, sessions: 3, messages: 3, binaryEvents: 1 });
    // Unreadable at once, before the purge.
    await expire(monday);
    expect(await usage(memory)).toEqual({ actors: 2, sessions: 3, messages: 2, binaryEvents: 0 });
    expect(await store.countSession(monday, { types: CLIENT_TYPES })).toBe(0);
    await store.erasure.purgeExpired();
    expect(await usage(memory)).toEqual({ actors: 2, sessions: 3, messages: 2, binaryEvents: 0 });

    const keys = await log.closeSessions({ ...memory, actorId: 'ada', sessionId: null });
    expect(await usage(memory)).toEqual({ actors: 1, sessions: 1, messages: 1, binaryEvents: 0 });
    await store.erasure.purgeSessions(keys);
    expect(await usage(memory)).toEqual({ actors: 1, sessions: 1, messages: 1, binaryEvents: 0 });
    expect(await store.countSession(tuesday, { types: CLIENT_TYPES })).toBe(0);
    await expectExact(memory);

    // The name may be used again.
    await store.append({ ...tuesday, events: [message()] });
    expect(await usage(memory)).toEqual({ actors: 2, sessions: 2, messages: 2, binaryEvents: 0 });
    await store.append({ ...memory, actorId: null, sessionId: null, events: [deleted()] });
    await store.erasure.purgeDeletedMemories();
    expect(await usage(memory)).toEqual({ actors: 0, sessions: 0, messages: 0, binaryEvents: 0 });
    await store.recentSessions.catchUp(MANY);
    for (const table of ['memory_counts', 'actor_counts', 'session_activity', 'usage_changes']) {
      const { rows } = await pool.query(`select from ${table} where memory_id = $1`, [memory.memoryId]);
      expect([table, rows.length]).toEqual([table, 0]);
    }
  });

  it('stay exact while appends, erasures, expiry and folds run at the same time', async () => {
    const memory = await newMemory();
    const scopes = Array.from({ length: 6 }, (_, n) => sessionOf(memory, `session ${n % 3}`, `actor ${n % 2}`));
    let isDone = false;
    const folds = Array.from({ length: 2 }, async (_, n) => {
      while (!isDone) {
        if (n === 0) await store.recentSessions.catchUp(1 + randomInt(10));
        else await usage(memory);
      }
    });
    const act = async (): Promise<void> => {
      for (let step = 0; step < 60; step += 1) {
        const scope = scopes[randomInt(scopes.length)]!;
        const kind = randomInt(10);
        if (kind === 0) await store.erasure.purgeSessions(await log.closeSessions({ ...scope }));
        else if (kind === 1) await eraseFirst(scope);
        else if (kind === 2) await expire(scope);
        else if (kind === 3) await store.erasure.purgeExpired();
        else await store.append({ ...scope, events: [message(), binary(), message()].slice(0, 1 + randomInt(3)) });
      }
    };
    await Promise.all(Array.from({ length: 4 }, act));
    isDone = true;
    await Promise.all(folds);
    await expectExact(memory);
    await store.erasure.purgeExpired();
    await expectExact(memory);
    const { rows } = await pool.query<{ actor_id: string; session_id: string }>(
      `select actor_id, session_id from sessions where memory_id = $1`,
      [memory.memoryId],
    );
    for (const { actor_id: actorId, session_id: sessionId } of rows) {
      const scope = sessionOf(memory, sessionId, actorId);
      const all = await store.readSession(scope, { order: 'oldest-first', limit: 1_000, types: CLIENT_TYPES });
      expect(await store.countSession(scope, { types: CLIENT_TYPES })).toBe(all.length);
    }
  });

  it('are made again from the log beside deletions', async () => {
    const memory = await newMemory();
    const scope = sessionOf(memory, 'a');
    await store.append({ ...scope, events: [message(), binary(), message()] });
    await store.append({ ...sessionOf(memory, 'b', 'eve'), events: [message()] });
    await store.recentSessions.catchUp(MANY);
    await pool.query('update memory_counts set messages = messages + 7, actors = 0');
    const [event] = await store.readSession(scope, { order: 'oldest-first', limit: 1, types: CLIENT_TYPES });
    let recounting: Promise<void> | undefined;
    await log.transaction(async (tx) => {
      await store.erasure.eraseEvent(tx, event!);
      recounting = store.recentSessions.recount();
      await waitForLock(pool);
    });
    await recounting;
    expect(await usage(memory)).toEqual({ actors: 2, sessions: 2, messages: 2, binaryEvents: 1 });
    await expectExact(memory);
  });

  it('know whether an event that is deleted was counted before', async () => {
    const memory = await newMemory();
    const scope = sessionOf(memory, 'a');
    await store.append({ ...scope, events: [message(), message(), message()] });
    const [first, second] = await store.readSession(scope, { order: 'oldest-first', limit: 2, types: CLIENT_TYPES });
    // Deleted before it is counted.
    await log.transaction((tx) => store.erasure.eraseEvent(tx, first!));
    await expectExact(memory);
    // Deleted while it is counted: the index does not wait for the deletion.
    await log.transaction(async (tx) => {
      await store.erasure.eraseEvent(tx, second!);
      expect(await store.recentSessions.catchUp(MANY)).toBe(0);
      expect((await usage(memory)).messages).toBe(2);
    });
    expect((await usage(memory)).messages).toBe(1);
    await expectExact(memory);
    await store.recentSessions.catchUp(MANY);
    await expectExact(memory);
  });

  it('are read past rows that another connection holds, and the index gives up on them for a while', async () => {
    const memory = await newMemory();
    await store.append({ ...sessionOf(memory, 'a'), events: [message()] });
    await store.recentSessions.catchUp(MANY);
    const holder = await pool.connect();
    try {
      await holder.query('begin');
      await holder.query('select from memory_counts where memory_id = $1 for update', [memory.memoryId]);
      await store.append({ ...sessionOf(memory, 'b'), events: [message()] });
      await store.recentSessions.catchUp(MANY);
      expect(await store.recentSessions.behind()).toBe(1);
      expect(await usage(memory)).toMatchObject({ sessions: 2, messages: 2 });
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    expect(await store.recentSessions.catchUp(MANY)).toBe(0);
    expect(await store.recentSessions.behind()).toBe(0);
    await expectExact(memory);
  });

  it('are not read across tenants', async () => {
    const memory = await newMemory();
    await store.append({ ...sessionOf(memory, 'a'), events: [message()] });
    const foreign = await store.directory.usage(randomUUID(), memory.memoryId);
    expect(foreign).toEqual({ actors: 0, sessions: 0, messages: 0, binaryEvents: 0 });
  });

  it('are read without the events', async () => {
    const memory = await newMemory();
    const scope = sessionOf(memory, 'a');
    const { tenantId, memoryId, actorId, sessionId } = scope;
    /** Rows read by all steps of the plan. */
    const rowsRead = async (text: string, values: unknown[]): Promise<number> => {
      const { rows } = await pool.query(`explain (analyze, format json) ${text}`, values);
      return rowsReadBySteps(rows[0] as ExplainedRow).reduce((sum, read) => sum + read);
    };
    for (let batch = 0; batch < 10; batch += 1) {
      await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          store.append({
            ...(n < 5 ? scope : sessionOf(memory, `${batch} ${n}`)),
            events: Array.from({ length: 50 }, () => message()),
          }),
        ),
      );
    }
    expect((await usage(memory)).messages).toBe(5_000);
    await store.recentSessions.catchUp(MANY);
    await pool.query('analyze');
    expect(await rowsRead(MEMORY_USAGE, [tenantId, memoryId])).toBeLessThan(FEW);
    expect(await rowsRead(SESSION_USAGE, [tenantId, memoryId, actorId, sessionId])).toBeLessThan(FEW);
    expect(await rowsRead(COUNTED, [tenantId, memoryId])).toBeGreaterThan(5_000);
  });
});

const waitForLock = async (pool: pg.Pool): Promise<void> => {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await pool.query(waiting)).rowCount === 0);
};

const deleted = () =>
  ({
    eventId: randomUUID(),
    type: 'memory.deleted',
    schemaVersion: 1,
    occurredAt: null,
    data: {},
  }) as unknown as NewEvent;
