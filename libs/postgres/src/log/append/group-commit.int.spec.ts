import { setImmediate } from 'node:timers/promises';
import { LogUnavailable, type SessionScope } from '@turnkeeper/application';
import {
  breakingProxy,
  createTestDatabase,
  eventually,
  message,
  messages,
  newSession,
  type TestDatabase,
} from '@turnkeeper/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEventStore, migrateDatabase, type EventStoreOptions, type PgEventStore } from '../../index.js';

describe('group commit', () => {
  let database: TestDatabase;
  let admin: pg.Client;
  beforeAll(async () => {
    database = await createTestDatabase(migrateDatabase);
    admin = new pg.Client(database.url);
    await admin.connect();
  });
  afterAll(async () => {
    await admin.end();
    await database.drop();
  });

  const withStore = async (
    options: Partial<EventStoreOptions>,
    work: (store: PgEventStore, scope: SessionScope) => Promise<void>,
  ): Promise<void> => {
    const store = createEventStore({ databaseUrl: database.url, ...options });
    try {
      await work(store, await newSession(store));
    } finally {
      await store.close();
    }
  };
  /** Number of transactions that wrote the events after a position. */
  const transactionsAfter = async (position: number): Promise<number> => {
    const { rows } = await admin.query<{ count: string }>(
      'select count(distinct xmin::text) as count from events where position > $1',
      [position],
    );
    return Number(rows[0]?.count);
  };
  /** Holds the writer lock until released. */
  const holdLock = async (): Promise<() => Promise<void>> => {
    const client = new pg.Client(database.url);
    await client.connect();
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock(1414877774, 0)');
    return () => client.end();
  };
  /** Waits until this many writers block on the lock. Returns the backend PID of one. */
  const writerAtTheLock = async (writers = 1): Promise<number> => {
    let pid: number | undefined;
    await eventually(async () => {
      const { rows } = await admin.query<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database()
         and application_name = 'turnkeeper-append' and wait_event_type = 'Lock'`,
      );
      pid = rows[0]?.pid;
      return rows.length >= writers;
    });
    return pid!;
  };

  it('shares a transaction between requests in flight', async () => {
    await withStore({ lanes: 1 }, async (store, scope) => {
      const head = await store.headPosition();
      const first = store.append({ ...scope, events: [message()] });
      await setImmediate();
      const rest = Array.from({ length: 100 }, (_, index) =>
        store.append({ ...scope, sessionId: `session ${index % 7}`, events: [message()] }),
      );
      await Promise.all([first, ...rest]);
      expect(await store.headPosition()).toBe(head + 101);
      expect(await transactionsAfter(head)).toBe(2);
    });
  });

  it('sends a small request while a large one of another session is under way, and one of the same session after it', async () => {
    await withStore({ lanes: 1, maxBatchBytes: 10_000 }, async (store, scope) => {
      const other = await newSession(store);
      const head = await store.headPosition();
      const release = await holdLock();
      const large = store.append({ ...scope, events: [message('x'.repeat(20_000))] });
      await writerAtTheLock(1);
      const after = store.append({ ...scope, events: [message()] });
      const small = store.append({ ...other, events: [message()] });
      await writerAtTheLock(2);
      await release();
      const places = (await Promise.all([large, after, small])).map(({ firstSequence }) => firstSequence);
      expect(places).toEqual([1, 2, 1]);
      // The one of the same session was not sent with the other one.
      expect(await transactionsAfter(head)).toBe(3);
      // Settled: a session may change its lane.
      expect(await store.append({ ...scope, events: [message()] })).toMatchObject({ firstSequence: 3 });
    });
  });

  it('stores the requests of a session in order, although a large one takes several turns of the event loop', async () => {
    await withStore({}, async (store, scope) => {
      const sizes = [200_000, 1, 300_000, 1];
      const appends = sizes.map((size) =>
        store.append({ ...scope, events: ['x'.repeat(size), 'y', 'z'].map((text) => message(text)) }),
      );
      expect((await Promise.all(appends)).map(({ firstSequence }) => firstSequence)).toEqual([1, 4, 7, 10]);
      // On close too.
      const last = store.append({ ...scope, events: ['x', 'y', 'z'].map((text) => message(text.repeat(200_000))) });
      await store.close();
      expect(await last).toMatchObject({ firstSequence: 13 });
    });
  });

  it('neither compresses nor moves long data while others wait for the head', async () => {
    await withStore({}, async (store, scope) => {
      const texts = [90, 1_100].map((times) => 'Nothing new happened at the depot today. '.repeat(times));
      const { firstPosition } = await store.append({ ...scope, events: texts.map((text) => message(text)) });
      const { rows } = await admin.query<{ method: string | null; elsewhere: boolean }>(
        `select pg_column_compression(data) as method, pg_column_toast_chunk_id(data) is not null as elsewhere
         from events where position >= $1 and pg_column_size(data) > 3600 order by position`,
        [firstPosition],
      );
      // Half a page is not moved either.
      expect(rows).toEqual([
        { method: null, elsewhere: false },
        { method: null, elsewhere: true },
      ]);
    });
  });

  it('stores a batch in one transaction without its rejected requests', async () => {
    await withStore({ lanes: 1 }, async (store, scope) => {
      const known = { ...scope, events: messages(2) };
      const stored = await store.append(known);
      const first = store.append({ ...scope, events: [message()] });
      await setImmediate();
      const elsewhere = { ...scope, memoryId: message().eventId, sessionId: 'of no memory' };
      const answers = await Promise.allSettled(
        [
          { ...scope, sessionId: 'new', events: messages(2) },
          { ...elsewhere, events: [message()] },
          known,
          { ...scope, sessionId: 'expecting', events: [message()], expectedSequence: 7 },
          { ...scope, sessionId: 'new', events: [message()] },
          { ...scope, events: [message()] },
        ].map((request) => store.append(request)),
      );
      const { firstPosition } = await first;
      expect(answers).toMatchObject([
        { value: { firstPosition: firstPosition + 1, firstSequence: 1 } },
        { reason: { code: 'memory.not_found' } },
        { value: { ...stored, duplicate: true } },
        { reason: { code: 'session.sequence_conflict', currentSequence: 0 } },
        { value: { firstPosition: firstPosition + 3, firstSequence: 3 } },
        { value: { firstPosition: firstPosition + 4, firstSequence: 4 } },
      ]);
      expect(await transactionsAfter(firstPosition)).toBe(1);
      const { rows } = await admin.query('select session_id from sessions where memory_id = any ($1) order by 1', [
        [scope.memoryId, elsewhere.memoryId],
      ]);
      expect(rows.map(({ session_id }) => session_id as string)).toEqual(['new', scope.sessionId].sort());
    });
  });

  it('finds the one failing request in few attempts and stores the others in order', async () => {
    const sizes: number[] = [];
    const onBatch = (batch: { requests: number }): unknown => sizes.push(batch.requests);
    await withStore({ lanes: 1, onBatch }, async (store, scope) => {
      const [stored] = messages(1);
      await store.append({ ...scope, events: [stored!] });
      const first = store.append({ ...scope, events: [message()] });
      await setImmediate();
      sizes.length = 0;
      const answers = await Promise.allSettled(
        Array.from({ length: 64 }, (_, index) =>
          // Already stored, but not as the first event of its request.
          store.append({ ...scope, events: index === 40 ? [message(), stored!] : [message()], newIds: true }),
        ),
      );
      const { firstPosition } = await first;
      expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.firstSequence : null))).toEqual(
        Array.from({ length: 64 }, (_, index) => (index === 40 ? null : index + 3 - (index > 40 ? 1 : 0))),
      );
      expect(answers[40]).toMatchObject({ reason: { code: 'idempotency.body_differs' } });
      expect(await store.headPosition()).toBe(firstPosition + 63);
      // The preceding request, then the two halves of the 64. The second half looks up all ids and rejects one request.
      expect(sizes).toEqual([1, 32, 32]);
      await expect(store.append({ ...scope, events: [message(), stored!], newIds: true })).rejects.toMatchObject({
        code: 'idempotency.body_differs',
      });
      expect(sizes).toEqual([1, 32, 32, 1]);
    });
  });

  it('separates sessions whose concatenated names are equal', async () => {
    await withStore({ lanes: 1 }, async (store, scope) => {
      const first = store.append({ ...scope, events: [message()] });
      await setImmediate();
      const [one, other] = await Promise.all([
        store.append({ ...scope, actorId: 'a\nb', sessionId: 'c', events: messages(2) }),
        store.append({ ...scope, actorId: 'a', sessionId: 'b\nc', events: messages(2) }),
        first,
      ]);
      expect([one.firstSequence, other.firstSequence]).toEqual([1, 1]);
    });
  });

  it('respects the batch limit unless a single request exceeds it', async () => {
    const sizes: number[] = [];
    const onBatch = (batch: { events: number }): unknown => sizes.push(batch.events);
    await withStore({ lanes: 1, maxBatch: 10, onBatch }, async (store, scope) => {
      sizes.length = 0;
      await Promise.all([3, 3, 3, 3, 25, 1].map((size) => store.append({ ...scope, events: messages(size) })));
      expect(sizes).toEqual([9, 3, 25, 1]);
    });
  });

  it('drains the queue on close and rejects later requests', async () => {
    await withStore({ lanes: 1, maxBatch: 1 }, async (store, scope) => {
      const waiting = Array.from({ length: 20 }, () => store.append({ ...scope, events: [message()] }));
      const closing = store.close();
      await expect(store.append({ ...scope, events: [message()] })).rejects.toThrow(LogUnavailable);
      expect((await Promise.all(waiting)).map((appended) => appended.firstSequence)).toHaveLength(20);
      await closing;
    });
  });

  it('rejects immediately when the queue holds too many events', async () => {
    await withStore({ lanes: 1, maxWaiting: 10 }, async (store, scope) => {
      const release = await holdLock();
      const first = store.append({ ...scope, events: [message()] });
      await writerAtTheLock();
      const second = store.append({ ...scope, events: messages(10) });
      await expect(store.append({ ...scope, events: [message()] })).rejects.toThrow(LogUnavailable);
      await release();
      await Promise.all([first, second]);
    });
  });

  it('rejects a tenant that fills half of the queue, and still takes appends of others, which it stores first', async () => {
    await withStore({ lanes: 1, maxWaiting: 10, maxBatch: 3 }, async (store, scope) => {
      const other = await newSession(store);
      const release = await holdLock();
      const first = store.append({ ...scope, events: [message()] });
      await writerAtTheLock();
      const [second, third] = [2, 3].map((size) => store.append({ ...scope, events: messages(size) }));
      await expect(store.append({ ...scope, events: [message()] })).rejects.toThrow(LogUnavailable);
      const others = store.append({ ...other, events: [message()] });
      await release();
      const [{ firstPosition: before }, , { firstPosition: after }] = await Promise.all([first, second, third!]);
      const { firstPosition } = await others;
      expect([before < firstPosition, firstPosition < after]).toEqual([true, true]);
    });
  });

  it('rejects immediately when the queue holds too many bytes', async () => {
    await withStore({ maxWaitingBytes: 10_000 }, async (store, scope) => {
      const release = await holdLock();
      const first = store.append({ ...scope, events: [message()] });
      await writerAtTheLock();
      const second = store.append({ ...scope, events: [message('x'.repeat(10_000))] });
      await expect(store.append({ ...scope, events: [message()] })).rejects.toThrow(LogUnavailable);
      await release();
      await Promise.all([first, second]);
    });
  });

  it('retries when the server closes the connection, and stores the request once', async () => {
    await withStore({ lanes: 1 }, async (store, scope) => {
      const release = await holdLock();
      const append = store.append({ ...scope, events: messages(2) });
      const pid = await writerAtTheLock();
      await admin.query('select pg_terminate_backend($1)', [pid]);
      await release();
      expect(await append).toMatchObject({ firstSequence: 1, count: 2 });
      expect(await store.countSession(scope, {})).toBe(2);
    });
  });

  it('returns the original result if the commit succeeded but its reply was lost', async () => {
    const proxy = await breakingProxy(database.url);
    await withStore({ databaseUrl: proxy.url, lanes: 1 }, async (store, scope) => {
      await store.append({ ...scope, events: [message()] });
      proxy.breakOnNextAnswer();
      expect(await store.append({ ...scope, events: messages(3), newIds: true })).toMatchObject({
        firstSequence: 2,
        duplicate: true,
      });
      expect(proxy.broken).toBe(1);
      expect(await store.sessionSequence(scope)).toBe(4);
    });
    await proxy.close();
  });

  it('shares the log with processes of the previous release during a rolling update', async () => {
    await withStore({}, async (store, scope) => {
      const { firstPosition } = await store.append({ ...scope, events: messages(2) });
      const { rows } = await admin.query(
        // The arguments are those of the previous release, whatever this one sends.
        `select append_batch(
           array[$1]::uuid[], array[$2]::uuid[], array[$3], array[$4], array[null]::bigint[], array[null]::text[],
           array[1], array[false], array[null]::uuid[], array[null]::text[], array[null]::uuid[],
           array[1], array[1], array[$5]::uuid[], array['message.appended'], array[1]::smallint[], array[true],
           array[null]::timestamptz[], array[null]::text[], array[null]::boolean[], array[null]::integer[],
           array[null]::boolean[], $6::json, null) as answer`,
        [
          ...[scope.tenantId, scope.memoryId, scope.actorId, scope.sessionId, message().eventId],
          JSON.stringify([message().data]),
        ],
      );
      expect(rows).toMatchObject([{ answer: { head: firstPosition + 1, newest: [2] } }]);
      expect(await store.append({ ...scope, events: [message()] })).toMatchObject({
        firstPosition: firstPosition + 3,
        firstSequence: 4,
      });
    });
  });

  it('reports the log as unavailable when the server does not answer', async () => {
    const store = createEventStore({ databaseUrl: 'postgres://nobody@127.0.0.1:1/none', retryForMs: 100 });
    const scope = { tenantId: message().eventId, memoryId: message().eventId, actorId: 'a', sessionId: 's' };
    await expect(store.append({ ...scope, events: [message()] })).rejects.toMatchObject({ code: 'log.unavailable' });
    await store.close();
  });

  it('does not block readers on an open transaction or leave a gap on rollback', async () => {
    await withStore({}, async (store, scope) => {
      const head = await store.headPosition();
      const foreign = new pg.Client(database.url);
      await foreign.connect();
      await foreign.query('begin');
      await foreign.query("insert into relay_cursor (name, position) values ('foreign', 0)");
      await store.append({ ...scope, events: [message()] });
      expect(await store.readLog(head, 10)).toHaveLength(1);
      const tx = { query: async (text: string, values?: unknown[]) => (await foreign.query(text, values)).rows };
      await store.staging.stage(tx, [{ ...scope, events: [message()] }], null);
      const [row] = await tx.query(store.staging.statement);
      expect(store.staging.answersOf([{ ...scope, events: [message()] }], row, 0)).toMatchObject([
        { firstPosition: head + 2 },
      ]);
      expect(await store.readLog(head, 10)).toHaveLength(1);
      const next = store.append({ ...scope, events: [message()] });
      await writerAtTheLock();
      await foreign.query('rollback');
      await foreign.end();
      expect(await next).toMatchObject({ firstPosition: head + 2, firstSequence: 2 });
    });
  });
});
