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
import { createEventStore, migrateLog, type EventStoreOptions, type PgEventStore } from '../index.js';

describe('group commit', () => {
  let database: TestDatabase;
  let admin: pg.Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    await migrateLog(database.url);
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
  /** One vector per text, in the same order. Rejects with `EmbeddingFailed` rather than return a partial result. */
  const transactionsAfter = async (position: number): Promise<number> => {
    const { rows } = await admin.query<{ count: string }>(
      'select count(distinct xmin::text) as count from events where position > $1',
      [position],
    );
    return Number(rows[0]?.count);
  };
  /** The available embedding models. */
  const holdLock = async (): Promise<() => Promise<void>> => {
    const client = new pg.Client(database.url);
    await client.connect();
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock(1414877774, 0)');
    return () => client.end();
  };
  /** The configured model. */
  const writerAtTheLock = async (): Promise<number> => {
    let pid: number | undefined;
    await eventually(async () => {
      const { rows } = await admin.query<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database()
         and application_name = 'turnkeeper-append' and wait_event_type = 'Lock'`,
      );
      pid = rows[0]?.pid;
      return pid !== undefined;
    });
    return pid!;
  };

  it("A model from an earlier configuration, so that its vectors stay usable until the current model's exist. Null if unavailable.", async () => {
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

  it('The endpoint returned no usable vectors.', async () => {
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

  it('finds the one request that fails, in few tries, and stores the others in their order', async () => {
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
          // A reference to an event of the log. It carries ids only, so the broker never stores conversation content
          // and needs no erasure.
          store.append({ ...scope, events: index === 40 ? [message(), stored!] : [message()], newIds: true }),
        ),
      );
      const { firstPosition } = await first;
      expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.firstSequence : null))).toEqual(
        Array.from({ length: 64 }, (_, index) => (index === 40 ? null : index + 3 - (index > 40 ? 1 : 0))),
      );
      expect(answers[40]).toMatchObject({ reason: { code: 'idempotency.body_differs' } });
      expect(await store.headPosition()).toBe(firstPosition + 63);
      // The session's internal key; null for events outside a session.
      expect(sizes).toEqual([1, 32, 32]);
      await expect(store.append({ ...scope, events: [message(), stored!], newIds: true })).rejects.toMatchObject({
        code: 'idempotency.body_differs',
      });
      expect(sizes).toEqual([1, 32, 32, 1]);
    });
  });

  it('A reference with its tenant and memory; this is all the relay reads of an event.', async () => {
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

  it('Reads event references for the relay without their content, which stays in Postgres.', async () => {
    const sizes: number[] = [];
    const onBatch = (batch: { events: number }): unknown => sizes.push(batch.events);
    await withStore({ lanes: 1, maxBatch: 10, onBatch }, async (store, scope) => {
      sizes.length = 0;
      await Promise.all([3, 3, 3, 3, 25, 1].map((size) => store.append({ ...scope, events: messages(size) })));
      expect(sizes).toEqual([9, 3, 25, 1]);
    });
  });

  it('References with `position > after`, in position order. Expired events are omitted, so positions may have gaps.', async () => {
    await withStore({ lanes: 1, maxBatch: 1 }, async (store, scope) => {
      const waiting = Array.from({ length: 20 }, () => store.append({ ...scope, events: [message()] }));
      const closing = store.close();
      await expect(store.append({ ...scope, events: [message()] })).rejects.toThrow(LogUnavailable);
      expect((await Promise.all(waiting)).map((appended) => appended.firstSequence)).toHaveLength(20);
      await closing;
    });
  });

  it('The first position recorded within the last `ageMs` milliseconds; head + 1 if there is none.', async () => {
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

  it('The published message: adjacent events of one memory within one page of the log.', async () => {
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

  it('Publishes and waits until the broker has acknowledged every notice. Idempotent.', async () => {
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

  it("The relay's position, stored in Postgres. Only one relay holds the lease at a time.", async () => {
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

  it('Acquires leadership; resolves to null if another process holds it.', async () => {
    await withStore({}, async (store, scope) => {
      const { firstPosition } = await store.append({ ...scope, events: messages(2) });
      const { rows } = await admin.query(
        `select append_batch(
           array[$1]::uuid[], array[$2]::uuid[], array[$3], array[$4], array[null]::bigint[], array[null]::text[],
           array[1], array[false], array[null]::uuid[],
           array[1], array[1], array[$5]::uuid[], array['message.appended'], array[1]::smallint[], array[true],
           array[null]::timestamptz[], array[null]::text[], $6::json) as answer`,
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

  it('The position stored when leadership was acquired; 0 before the first publish.', async () => {
    const store = createEventStore({ databaseUrl: 'postgres://nobody@127.0.0.1:1/none', retryForMs: 100 });
    const scope = { tenantId: message().eventId, memoryId: message().eventId, actorId: 'a', sessionId: 's' };
    await expect(store.append({ ...scope, events: [message()] })).rejects.toMatchObject({ code: 'log.unavailable' });
    await store.close();
  });

  it('Stores the published position. Never moves it back. Rejects once the lease is lost.
@param pageEnds last positions of the pages published since the last call, ascending', async () => {
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
