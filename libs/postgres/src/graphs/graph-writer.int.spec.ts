import type { SessionScope } from '@turnkeeper/application';
import { randomUUID } from 'node:crypto';
import { createTestDatabase, newSession, type TestDatabase } from '@turnkeeper/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLES } from '../access/database-roles.js';
import { keepReach, withinReach } from '../connections/row-reach.js';
import { createDataSource, createEventStore, migrateDatabase } from '../index.js';
import { PgCheckpointStore } from './checkpoint-store.js';
import { GraphBatch, WRITE_BATCH } from './graph-batch.js';

const THREADS = 2_000;
const IN_BATCH = 32;

describe('checkpoints of many threads', () => {
  let database: TestDatabase;
  let client: pg.Client;
  let scope: SessionScope;
  let dataSource: ReturnType<typeof createDataSource>;
  let store: PgCheckpointStore;

  beforeAll(async () => {
    database = await createTestDatabase(migrateDatabase);
    const events = createEventStore({ databaseUrl: database.url });
    scope = await newSession(events);
    await events.close();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(
      `insert into memories (memory_id, tenant_id, name, description, event_expiry_duration, status, created_at, updated_at)
       values ($1, $2, 'graphs', '', 90, 'ACTIVE', now(), now())`,
      [scope.memoryId, scope.tenantId],
    );
    dataSource = await createDataSource({ url: database.url, poolSize: 4 }).initialize();
    store = new PgCheckpointStore(dataSource);
  });
  afterAll(async () => {
    await dataSource?.destroy();
    await client?.end();
    await database?.drop();
  });

  const checkpointOf = (checkpointId: string, data = 'AAAA') => ({
    namespace: '',
    checkpointId,
    parentId: null,
    labels: {},
    channelVersions: { said: checkpointId },
    checkpoint: { type: 'json', data },
    metadata: { type: 'json', data: '' },
    channels: [{ channel: 'said', version: checkpointId, type: 'empty', data: '' }],
  });
  const put = (sessionId: string, checkpointId: string, data?: string): Promise<void> =>
    store.put({ ...scope, sessionId }, checkpointOf(checkpointId, data));
  const stored = async (sessionId: string) =>
    (
      await store.search(
        { ...scope, sessionId },
        { namespace: '', checkpointId: undefined, before: undefined, filter: {}, limit: 10, after: null },
      )
    ).map(({ checkpointId, checkpoint, channels }) => [checkpointId, checkpoint.data, channels]);

  const writeBatch = (from: number, id: string) => {
    const batch = new GraphBatch();
    for (let at = from; at < from + IN_BATCH; at += 1) {
      const request = { scope: { ...scope, sessionId: `thread ${at}` }, checkpoint: checkpointOf(id), bytes: 0 };
      batch.add({ ...request, reach: keepReach(), resolve: () => undefined, reject: () => undefined });
    }
    return client.query(WRITE_BATCH, [scope.tenantId, ...batch.values]);
  };
  const threadsRead = async (): Promise<number> => {
    const { rows } = await client.query<{ count: number }>(
      `select (seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 as count from pg_stat_xact_user_tables
        where relname = 'graph_threads'`,
    );
    return rows[0]!.count;
  };

  it('are written without reading all threads, by a connection that was opened when there were few', async () => {
    await client.query('alter table graph_threads set (autovacuum_enabled = off)');
    await writeBatch(0, 'first');
    await client.query('analyze');
    // More calls than the number for which Postgres tries custom plans.
    for (let time = 0; time < 10; time += 1) await writeBatch(0, `warm ${time}`);
    for (let from = 0; from < THREADS; from += IN_BATCH) await writeBatch(from, 'more');
    const readBy = async (write: () => Promise<unknown>): Promise<number> => {
      await client.query('begin');
      const before = await threadsRead();
      await write();
      const after = await threadsRead();
      await client.query('rollback');
      return after - before;
    };
    // Otherwise the threads of a slow machine may need to be touched again.
    await client.query('update graph_threads set touched_at = now()');
    // Once to find the thread, and once for each of two rows that refer to it.
    expect(await readBy(() => writeBatch(1_000, 'next'))).toBe(3 * IN_BATCH);
    await client.query(`update graph_threads set touched_at = now() - interval '2 minutes'`);
    expect(await readBy(() => writeBatch(1_000, 'later'))).toBeLessThanOrEqual(10 * IN_BATCH);
  });

  it('do not wait for a batch that hangs, except those that replace one of its rows', async () => {
    await put('locked', 'id', 'AAAA');
    await client.query('begin');
    await client.query(
      `select from graph_checkpoints join graph_threads using (thread_key) where session_id = 'locked' for update`,
    );
    const hanging = put('locked', 'id', 'BBBB');
    // The batch has started.
    await new Promise((resolve) => setImmediate(resolve));
    const others = Array.from({ length: 10 }, (_, at) => put(`free ${at}`, 'id'));
    const replacing = put('locked', 'id', 'CCCC');
    await Promise.all(others);
    expect(await Promise.race([hanging, replacing, Promise.resolve('waiting')])).toBe('waiting');
    await client.query('rollback');
    await Promise.all([hanging, replacing]);
    expect(await stored('locked')).toEqual([
      ['id', 'CCCC', [{ channel: 'said', version: 'id', type: 'empty', data: '' }]],
    ]);
  });

  it('of restricted keys and of others are written at the same time, each within its own reach', async () => {
    const secured = await createDataSource({ url: database.url, poolSize: 4, roles: ROLES }).initialize();
    const writer = new PgCheckpointStore(secured);
    const elsewhere = randomUUID();
    await client.query(
      `insert into memories select $1, tenant_id, 'others', '', 90, 'ACTIVE', now(), now() from memories`,
      [elsewhere],
    );
    const reach = { tenantId: scope.tenantId, memoryId: scope.memoryId, actorId: null };
    const writes = Array.from({ length: 30 }, (_, at) => {
      const own = (memoryId: string) => writer.put({ ...scope, memoryId, sessionId: `s${at}` }, checkpointOf('id'));
      return at % 3 === 0
        ? withinReach(reach, () => own(scope.memoryId))
        : own(at % 3 === 1 ? elsewhere : scope.memoryId);
    });
    expect(await Promise.all(writes)).toHaveLength(30);
    await expect(
      withinReach(reach, () => writer.put({ ...scope, memoryId: elsewhere }, checkpointOf('id'))),
    ).rejects.toThrow();
    await secured.destroy();
  });

  it('keep the last of many that replace each other', async () => {
    const values = Array.from({ length: 60 }, (_, at) => Buffer.from(`v${at}`.padEnd(3)).toString('base64'));
    await Promise.all(values.flatMap((value) => ['a', 'b', 'c'].map((session) => put(session, 'id', value))));
    for (const session of ['a', 'b', 'c']) expect((await stored(session))[0]?.[1]).toBe(values.at(-1));
  });
});
