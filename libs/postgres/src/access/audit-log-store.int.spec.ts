import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReadModelDatabase } from '../testing/read-model-database.js';
import { LIST_ENTRIES, PgAuditLog } from './audit-log-store.js';

describe('audit log', () => {
  let database: ReadModelDatabase;
  let audit: PgAuditLog;
  beforeAll(async () => {
    database = await ReadModelDatabase.create();
    audit = new PgAuditLog(database.dataSource);
  });
  afterAll(() => database?.close());

  const tenantId = randomUUID();
  const add = (action: string, of = tenantId) =>
    audit.add({
      tenantId: of,
      keyId: 'k',
      address: '127.0.0.1',
      action,
      resource: 'POST /x',
      status: 200,
      requestId: randomUUID(),
    });

  it("lists a tenant's own entries, page by page", async () => {
    await add('first');
    await add('other', randomUUID());
    await add('second');
    const [first, ...rest] = await audit.list(tenantId, 0, 1);
    expect([first?.action, rest]).toEqual(['first', []]);
    expect((await audit.list(tenantId, first!.entry, 10)).map(({ action }) => action)).toEqual(['second']);
  });

  it('takes the order of a page from an index', async () => {
    const plan = await database.dataSource.transaction(async (manager) => {
      // Of a small log, the planner may prefer to sort all entries of the tenant.
      await manager.query('set local enable_sort = off');
      return manager.query<unknown>(`explain (format json) ${LIST_ENTRIES}`, [tenantId, 0, 10]);
    });
    expect(JSON.stringify(plan)).toContain('Index Scan');
    expect(JSON.stringify(plan)).not.toContain('"Sort"');
  });

  it('rejects updates and deletes of entries, even by the table owner', async () => {
    for (const statement of [
      `update audit_log set key_id = 'x'`,
      'delete from audit_log',
      'truncate audit_log',
      `delete from audit_log where at < now() + interval '1 day'`,
    ]) {
      await expect(database.rows(statement)).rejects.toThrow('append-only');
    }
    expect(await audit.list(tenantId, 0, 10)).toHaveLength(2);
  });

  it('deletes entries older than the retention only', async () => {
    expect(await audit.forget(1, 10)).toBe(0);
    await database.rows(
      `insert into audit_log (at, tenant_id, key_id, address, action, resource, status, request_id)
       values (now() - interval '3 days', $1, 'k', '::1', 'old', 'POST /x', 200, $2)`,
      [tenantId, randomUUID()],
    );
    expect(await audit.forget(2, 10)).toBe(1);
    expect((await audit.list(tenantId, 0, 10)).map(({ action }) => action)).toEqual(['first', 'second']);
  });
});
