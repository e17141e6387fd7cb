import { randomUUID } from 'node:crypto';
import { createDataSource, rowsOf } from '../connections/database.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DataSource } from 'typeorm';
import { ReadModelDatabase } from '../testing/read-model-database.js';
import { PgDeliveryStore } from './deliveries/delivery-store.js';
import { PgExtractionSchedule } from './extraction/extraction-schedule.js';

const MANY = 100_000;
/** Maximum rows read when nothing is due: a few per tenant, endpoint and memory, never the whole table. */
const FEW = 200;

describe('with a hundred thousand rows and none due', () => {
  let database: ReadModelDatabase;
  /** Uses one connection, so that its counters can be read. */
  let dataSource: DataSource;
  beforeAll(async () => {
    database = await ReadModelDatabase.create();
    dataSource = createDataSource({ url: database.url, poolSize: 1 });
    await dataSource.initialize();
    const endpointId = randomUUID();
    const { tenantId, memoryId, strategyIds } = await database.memory();
    // All on the reading connection: other connections report their counters seconds later.
    await rowsOf(dataSource, `update memories set event_expiry_duration = 3`);
    await rowsOf(
      dataSource,
      `insert into agents (agent_id, tenant_id, memory_id, actor_id, session_id, name, vendor, status, max_history,
                           system_messages, params, labels, started_sequence, started_at)
       select gen_random_uuid(), $1, $2, 'ada', 'thread', 'a', 'agora', 'STOPPED', 32, '[]', '{}', '{}', 1, now()
         from generate_series(1, 100)`,
      [tenantId, memoryId],
    );
    await rowsOf(
      dataSource,
      `insert into webhook_endpoints (endpoint_id, tenant_id, url, description, format, secrets, status, created_at)
       values ($1, $2, 'https://example.com', '', 'standard', '[]', 'active', now())`,
      [endpointId, tenantId],
    );
    // Half are sent and retained, half wait for a retry.
    await rowsOf(
      dataSource,
      `insert into webhook_deliveries (delivery_id, tenant_id, endpoint_id, event_type, cause_event_id, agent_id,
                                       message_id, body, status, due_at, created_at)
       select gen_random_uuid(), $1, $2, 'agent.history', gen_random_uuid(), a.agent_id, n || a.agent_id::text, '{}',
              case when n % 2 = 0 then 'delivered' else 'pending' end,
              case when n % 2 = 1 then now() + interval '1 hour' end, now() - interval '1 day'
         from agents a, generate_series(1, $3::int / 100) n`,
      [tenantId, endpointId, MANY],
    );
    await rowsOf(
      dataSource,
      `insert into extraction_states (session_key, strategy_id, tenant_id, memory_id, actor_id, session_id, status, due_at)
       select n, $3, $1, $2, 'ada', n::text, 'waiting', now() + interval '1 hour' from generate_series(1, $4::int) n`,
      [tenantId, memoryId, strategyIds[0], MANY],
    );
    await rowsOf(dataSource, 'analyze');
  });
  afterAll(async () => {
    await dataSource?.destroy();
    await database?.close();
  });

  /** Rows and index entries read by the work, over all tables. */
  const readBy = async (work: () => Promise<unknown>): Promise<number> => {
    const read = async () => {
      await dataSource.query('select pg_stat_force_next_flush()');
      const [row] = await rowsOf<{ n: string }>(
        dataSource,
        `select (select sum(seq_tup_read) from pg_stat_user_tables)
              + (select sum(idx_tup_read) from pg_stat_user_indexes) as n`,
      );
      return Number(row?.n);
    };
    const before = await read();
    await work();
    return (await read()) - before;
  };

  it('counts reads', async () => {
    expect(
      await readBy(() => dataSource.query('select sum(octet_length(body)) from webhook_deliveries')),
    ).toBeGreaterThan(MANY - 1);
  });

  it.each<[what: string, work: () => Promise<unknown>]>([
    ['dropping contents', () => new PgDeliveryStore(dataSource).purgeBodies(30, 1_000)],
    ['forgetting deliveries', () => new PgDeliveryStore(dataSource).forgetFinal(90, 1_000)],
    [
      'admitting deliveries',
      () => new PgDeliveryStore(dataSource).admit({ perEndpoint: 4, perTimedOut: 1, timedOutTotal: 4, atOnce: 100 }),
    ],
    ['admitting extractions', () => new PgExtractionSchedule(dataSource).admit(8)],
  ])('%s reads none of them', async (_, work) => {
    await work(); // planning reads the catalog
    expect(await readBy(work)).toBeLessThan(FEW);
  });
});
