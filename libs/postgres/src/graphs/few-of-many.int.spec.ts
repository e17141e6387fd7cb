import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@turnkeeper/testing';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsFor } from '../connections/database.js';
import { withDatabase } from '../connections/with-database.js';
import { createDataSource, migrateDatabase } from '../index.js';
import { PgGraphItems } from './graph-items.js';
import { PgGraphTransfer } from './graph-transfer.js';

const MANY = 2_000;
const FEW = 20;

describe(`a few among ${MANY} items of a memory, with row-level security`, () => {
  const scope = { tenantId: randomUUID(), memoryId: randomUUID() };
  let database: TestDatabase;
  let dataSource: DataSource;
  let items: PgGraphItems;
  beforeAll(async () => {
    database = await createTestDatabase(migrateDatabase);
    const roles = { app: 'turnkeeper_app', system: 'turnkeeper_system' };
    // One connection, so that its counters can be read.
    dataSource = await createDataSource({ url: database.url, poolSize: 1, roles }).initialize();
    items = new PgGraphItems(dataSource);
    await rows(
      `insert into memories (memory_id, tenant_id, name, description, event_expiry_duration, status, created_at, updated_at)
       values ($2, $1, 'graphs', '', 90, 'ACTIVE', now(), now())`,
    );
    await rows(
      `insert into graph_items (tenant_id, memory_id, namespace, key, value, created_at, updated_at)
       select $1, $2, array['users', 'user ' || n, 'notes'], 'first', '{}', now(), now() from generate_series(1, ${MANY}) n`,
    );
    await withDatabase({ url: database.url, poolSize: 1 }, (source) => source.query('analyze graph_items'));
  });
  afterAll(async () => {
    await dataSource?.destroy();
    await database?.drop();
  });

  const rows = <R>(text: string, parameters: unknown[] = [scope.tenantId, scope.memoryId]): Promise<R[]> =>
    rowsFor<R>(dataSource, scope.tenantId, text, parameters);
  /** Rows of the items' table that the work reads. */
  const readBy = async (work: () => Promise<unknown>): Promise<number> => {
    const read = async () => {
      await rows('select pg_stat_force_next_flush()', []);
      const [row] = await rows<{ n: string }>(
        `select seq_tup_read + idx_tup_fetch as n from pg_stat_user_tables where relname = 'graph_items'`,
        [],
      );
      return Number(row!.n);
    };
    const before = await read();
    await work();
    return (await read()) - before;
  };
  const namespace = ['users', 'user 700', 'notes'];
  const get = async (key: string) =>
    items.batch(scope, [
      { op: 'get', namespace, key: 'none' },
      { op: 'get', namespace, key },
    ]);
  const found = { namespace, value: {} };

  it('are read by their key', async () => {
    expect(await get('first')).toMatchObject([null, { ...found, key: 'first' }]);
    expect(await readBy(() => get('first'))).toBeLessThan(FEW);
  });

  it('are found below a namespace', async () => {
    const search = (prefix: string[]) =>
      items.batch(scope, [{ op: 'search', prefix, filter: {}, limit: MANY, offset: 0 }]) as Promise<object[][]>;
    expect(await search(['users', 'user 700'])).toMatchObject([[found]]);
    expect(await readBy(() => search(['users', 'user 700']))).toBeLessThan(FEW);
    expect(await search(namespace)).toMatchObject([[found]]);
    expect(await search(['users', 'user 70'])).toHaveLength(1);
    for (const all of [[], ['users']]) expect((await search(all))[0]).toHaveLength(MANY);
    expect(await search(['user'])).toEqual([[]]);
  });

  it('are written and deleted', async () => {
    const added = ['users', 'user 700', 'more'];
    const put = (value: { n: number } | null) =>
      items.batch(scope, [{ op: 'put', namespace: added, key: 'first', value, vectors: [], ttlSeconds: null }]);
    const stored = async () => (await items.batch(scope, [{ op: 'get', namespace: added, key: 'first' }]))[0];
    expect(await readBy(() => put({ n: 1 }))).toBeLessThan(FEW);
    expect(await stored()).toMatchObject({ namespace: added, value: { n: 1 } });
    expect(await readBy(() => put(null))).toBeLessThan(FEW);
    expect(await stored()).toBeNull();
    expect(await get('first')).toMatchObject([null, found]);
  });

  it('are exported one after the other', async () => {
    const transfer = new PgGraphTransfer(dataSource);
    const exported: string[] = [];
    const read = await readBy(async () => {
      for await (const { namespace: of } of transfer.items(scope)) exported.push(of.join());
    });
    expect(exported).toHaveLength(MANY);
    expect(exported).toEqual([...exported].sort());
    expect(read).toBeLessThan(2 * MANY);
  });

  it('are not read or deleted for another tenant', async () => {
    const place = JSON.stringify([{ namespace, key: 'first' }]);
    const asOther = (call: string, parameters: unknown[]) =>
      rowsFor(dataSource, randomUUID(), `select i.* from ${call} i`, [scope.tenantId, scope.memoryId, ...parameters]);
    expect(await asOther('graph_items_at($1, $2, $3)', [place])).toEqual([]);
    expect(await asOther('graph_items_below($1, $2, $3)', [[]])).toEqual([]);
    expect(await asOther('next_graph_item($1, $2, $3, $4)', [[], ''])).toEqual([]);
    await asOther('delete_graph_items($1, $2, $3)', [place]);
    expect(await get('first')).toMatchObject([null, found]);
  });
});
