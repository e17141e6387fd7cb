import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIND_ACTORS_OR_RECORDS } from './record-search.sql.js';
import { ReadModelDatabase } from '../../testing/read-model-database.js';

describe('the search of records', () => {
  let database: ReadModelDatabase;
  beforeAll(async () => {
    database = await ReadModelDatabase.create();
  });
  afterAll(() => database?.close());

  const tenantId = randomUUID();
  /** @param memoryId an expression, for each record */
  const insert = (memoryId: string, count: number) =>
    database.rows(
      `insert into records (record_id, tenant_id, memory_id, namespace, text, fact_key, extractor, event_id, created_at,
         updated_at, stated_at)
       select gen_random_uuid(), $1, ${memoryId}, '/n', 'Placed order ' || n, n::text, '', gen_random_uuid(),
         now() + n * interval '1 second', now(), now()
       from generate_series(1, $2::integer) n`,
      [tenantId, count],
    );

  it('does not read a large memory as a whole among thousands of small ones', async () => {
    const memoryId = randomUUID();
    await insert(`'${memoryId}'`, 2_000);
    await insert('gen_random_uuid()', 6_000);
    await database.rows(
      `insert into record_sources (record_id, event_id, tenant_id, session_key, sequence, role, quote)
       select record_id, event_id, tenant_id, 7, 1, 'user', '' from records where memory_id = $1 and fact_key = '1'`,
      [memoryId],
    );
    await database.rows('analyze records');
    const found: { records: string }[] = [];
    const read = await database.rowsReadBy('records', async (tx) => {
      for (const search of [
        `find_record_words($1, $2, '/n', 'ocelot 1999', '', false, 400)`,
        `find_citing_records($1, $2, '/n', 'ocelot 1999', false, '{7}', '{1}')`,
      ])
        found.push(
          ...((await tx.query(`select records from ${search}`, [tenantId, memoryId])) as { records: string }[]),
        );
    });
    expect(found.map(({ records }) => records.split(' ').length)).toEqual([6, 5]);
    expect(read).toBeLessThan(300);
  });

  it('does not search by words at first if the newest records are about actors', async () => {
    const memoryId = randomUUID();
    await insert(`'${memoryId}'`, 2_000);
    await database.rows('analyze records');
    const ask = async () => {
      let actors: string[] = [];
      const read = await database.rowsReadBy('records', async (tx) => {
        const rows = await tx.query(FIND_ACTORS_OR_RECORDS, [tenantId, memoryId, '/n', 'order', '', false, 10, null]);
        [{ actors }] = rows as [{ actors: string[]; records: string | null }];
      });
      return { actors, read };
    };
    expect(await ask()).toEqual({ actors: [], read: expect.any(Number) });
    expect((await ask()).read).toBeGreaterThan(2_000);
    await database.rows(`update records set actor_id = 'ada' where memory_id = $1`, [memoryId]);
    const { actors, read } = await ask();
    expect(actors).toEqual(['ada']);
    expect(read).toBeLessThan(100);
  });

  it('finds nothing for a connection of another tenant', async () => {
    const memoryId = randomUUID();
    await insert(`'${memoryId}'`, 1);
    await database.rows(
      `insert into record_sources (record_id, event_id, tenant_id, session_key, sequence, role, quote)
       select record_id, event_id, tenant_id, 9, 1, 'user', '' from records where memory_id = $1`,
      [memoryId],
    );
    await database.rows('select secure_tables()');
    const ask = (tenant: string, search: string) =>
      database.unitOfWork.run(async (tx) => {
        await tx.query('set local role turnkeeper_app');
        await tx.query(`select set_config('turnkeeper.tenant', $1, true)`, [tenant]);
        const rows = await tx.query(`select records from ${search}`, [tenantId, memoryId]);
        return (rows as unknown[]).length;
      });
    for (const search of [
      `find_record_words($1, $2, '/n', 'order', '', false, 400)`,
      `find_citing_records($1, $2, '/n', 'order', false, '{9}', '{1}')`,
    ]) {
      expect(await ask(tenantId, search)).toBe(1);
      expect(await ask(randomUUID(), search)).toBe(0);
    }
  });
});
