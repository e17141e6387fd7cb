import { randomUUID } from 'node:crypto';
import type { ErasureScope, SessionScope, Transaction } from '@turnkeeper/application';
import { createTestDatabase, newSession, type TestDatabase } from '@turnkeeper/testing';
import type { NewEvent } from '@turnkeeper/domain';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEventStore, migrateDatabase, type PgEventStore } from '../../index.js';

const says = (content: string): NewEvent => ({
  ...{ eventId: randomUUID(), type: 'message.appended', schemaVersion: 1, occurredAt: null },
  data: { payloadType: 'CONVERSATIONAL', role: 'user', content, metadata: { speaker: 'Rosalind' } },
});
const SECRET = 'my secret quetzal';

describe('words of erased turns', () => {
  let database: TestDatabase;
  let store: PgEventStore;
  let pool: pg.Pool;
  beforeAll(async () => {
    database = await createTestDatabase(migrateDatabase);
    store = createEventStore({ databaseUrl: database.url });
    pool = new pg.Pool({ connectionString: database.url, max: 4 });
  });
  afterAll(async () => {
    await pool.end();
    await store.close();
    await database.drop();
  });

  const inTransaction = async (work: (tx: Transaction) => Promise<unknown>): Promise<void> => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await work({ query: async (text, values) => (await client.query(text, values)).rows });
      await client.query('commit');
    } finally {
      client.release();
    }
  };
  const erase = (scope: ErasureScope) =>
    inTransaction(async (tx) => {
      await store.erasure.lockSessions(tx, scope);
      await store.erasure.closeSessions(tx, scope);
    });
  const purge = () => store.erasure.purgeSessions(null);
  const upToDate = async () => {
    while ((await store.turns.catchUp(5_000)) > 0);
  };
  const found = async ({ tenantId, memoryId, actorId, sessionId }: SessionScope) => {
    const scopes = [
      { tenantId, memoryId },
      { tenantId, memoryId, actorId },
      { tenantId, memoryId, actorId, sessionId },
    ];
    const asked = { text: 'secret quetzal', limit: 10, scoreThreshold: 0, window: 1 };
    const hits = await Promise.all(scopes.map((scope) => store.turns.search(scope, asked)));
    return hits.map((of) => of.flatMap(({ event, neighbours }) => [event, ...neighbours]).length);
  };
  /** Segments, their turns and their words. */
  const rowsOf = async (sessionKey: number) => {
    const { rows } = await pool.query<{ rows: number[] }>(
      `select array[count(*), coalesce(sum(turns), 0), coalesce(sum((select count(*) from terms_in(data))), 0)]::int[] as rows
       from turn_segments where session_key = $1`,
      [sessionKey],
    );
    return rows[0]?.rows;
  };
  const inLog = async (scope: SessionScope) => store.readSession(scope, { order: 'oldest-first', limit: 10 });

  const WAYS: readonly (readonly [name: string, how: (scope: SessionScope) => Promise<unknown>])[] = [
    [
      'an event',
      async (scope) => {
        const [event] = await inLog(scope);
        await inTransaction((tx) => store.erasure.eraseEvent(tx, event!));
      },
    ],
    ['a session', (scope) => erase(scope)],
    ['an actor', (scope) => erase({ ...scope, sessionId: null })],
    [
      'a memory',
      async ({ tenantId, memoryId }) => {
        const deleted = { eventId: randomUUID(), type: 'memory.deleted', schemaVersion: 1, occurredAt: null, data: {} };
        await store.append({ tenantId, memoryId, actorId: null, sessionId: null, events: [deleted as NewEvent] });
        await store.erasure.purgeDeletedMemories();
      },
    ],
    [
      'expiry',
      async ({ memoryId }) => {
        await pool.query(`begin; set local turnkeeper.change = 'expiry';
          update events set expires_at = now() where memory_id = '${memoryId}' and expires_at is not null; commit`);
        await store.erasure.purgeExpired();
      },
    ],
  ];

  it.each(WAYS)('are deleted with %s, whether indexed before or not', async (_, how) => {
    for (const takenIn of [true, false]) {
      const scope = await newSession(store);
      await store.append({ ...scope, events: [says(SECRET)] });
      const sessionKey = (await inLog(scope))[0]!.sessionKey!;
      if (takenIn) await upToDate();
      expect(await found(scope)).toEqual([1, 1, 1]);
      expect(await rowsOf(sessionKey)).toEqual(takenIn ? [1, 1, 3] : [0, 0, 0]);
      await how(scope);
      // Unreadable from the commit on, before the purge.
      expect(await found(scope)).toEqual([0, 0, 0]);
      await purge();
      await upToDate();
      expect(await rowsOf(sessionKey)).toEqual([0, 0, 0]);
      expect(await found(scope)).toEqual([0, 0, 0]);
    }
  });

  it('leave the words of other turns, sessions and actors', async () => {
    const scope = await newSession(store);
    const others = [
      { ...scope, sessionId: 'tuesday' },
      { ...scope, actorId: 'eve' },
    ];
    for (const one of [scope, ...others]) await store.append({ ...one, events: [says(SECRET)] });
    await upToDate();
    await erase(scope);
    await purge();
    expect(await found(scope)).toEqual([2, 1, 0]);
  });
});
