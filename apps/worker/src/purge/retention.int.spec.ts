import { readFileSync } from 'node:fs';
import { createDataSource, createEventStore, EnvelopeCipher, migrateDatabase, rowsOf } from '@turnkeeper/postgres';
import { systemClock } from '@turnkeeper/platform';
import { createStores } from '@turnkeeper/runtime';
import { createTestDatabase, type TestDatabase } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { WorkerResources } from '../resources.js';
import { purgeTicker } from './purge.js';

const PAGE = new URL('../../../../docs/operate/retention.md', import.meta.url);
const DAYS = { kept: 9, over: 11 };

describe('retention', () => {
  let database: TestDatabase;
  let dataSource: ReturnType<typeof createDataSource>;
  let eventStore: ReturnType<typeof createEventStore>;
  beforeAll(async () => {
    database = await createTestDatabase(migrateDatabase);
    dataSource = createDataSource({ url: database.url, poolSize: 4 });
    await dataSource.initialize();
    eventStore = createEventStore({ databaseUrl: database.url, readers: 2 });
  });
  afterAll(async () => {
    await eventStore.close();
    await dataSource.destroy();
    await database.drop();
  });
  const rows = <T>(text: string, values: unknown[] = []) => rowsOf<T>(dataSource, text, values);

  it('is defined for every table of the database', async () => {
    const lines = readFileSync(PAGE, 'utf8').split('\n');
    const decided = lines.filter((line) => /^\| [a-z_]+ +\| \S/.test(line)).map((line) => line.split('|')[1]?.trim());
    const tables = await rows<{ name: string }>(
      `select relname as name from pg_class
        where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and relname not like '%migrations'`,
    );
    expect(decided.filter((name) => name !== 'table').toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
  });

  /** One row of each kind, this many days old. */
  const seed = async (days: number): Promise<void> => {
    const at = `now() - interval '${days} days'`;
    await rows(`insert into webhook_endpoints (endpoint_id, tenant_id, url, description, format, secrets, status, created_at)
      values (gen_random_uuid(), gen_random_uuid(), 'https://example.com', '${days}', 'standard', '[]', 'active', now())`);
    await rows(`with delivery as (
        insert into webhook_deliveries (delivery_id, tenant_id, endpoint_id, event_type, cause_event_id, message_id, body,
                                        status, created_at)
        select gen_random_uuid(), tenant_id, endpoint_id, 'memory.deleted', gen_random_uuid(), 'm', '{}', 'delivered', ${at}
          from webhook_endpoints where description = '${days}' returning delivery_id)
      insert into webhook_attempts (delivery_id, attempt, reason, duration_ms) select delivery_id, 1, '${days}', 1 from delivery`);
    await rows(`insert into parked_items (source, item_id, code, error, payload, attempts, resolved_at)
      values ('replayed', '${days}', 'c', 'e', 'p', 1, ${at})`);
    await rows(`insert into parked_notes (kind, item_key, parked_at, noted_at, dropped_at)
      values ('message', '["gone","${days}"]', ${at}, ${at}, ${at})`);
    // Dropped but still parked: without its note it would be listed again.
    await rows(`insert into webhook_deliveries (delivery_id, tenant_id, endpoint_id, event_type, cause_event_id, message_id,
                                                status, created_at)
      select gen_random_uuid(), tenant_id, endpoint_id, 'agent.history', gen_random_uuid(), 'parked', 'parked', ${at}
        from webhook_endpoints where description = '${days}'`);
    await rows(`insert into parked_notes (kind, item_key, parked_at, dropped_at)
      select 'delivery', json_build_array(delivery_id)::text, created_at, ${at} from webhook_deliveries where message_id = 'parked'
      on conflict do nothing`);
    await rows(`insert into audit_log (tenant_id, key_id, address, action, resource, status, request_id, at)
      values (gen_random_uuid(), 'key', '::1', 'test', '${days}', 200, gen_random_uuid(), ${at})`);
  };

  it('deletes rows when their time is over, and not before', async () => {
    await seed(DAYS.kept);
    await seed(DAYS.over);
    const settings = {
      TOMBSTONE_DAYS: 10,
      WEBHOOK_BODY_DAYS: 10,
      WEBHOOK_DELIVERY_DAYS: 10,
      PARKED_MESSAGE_DAYS: 10,
      AUDIT_LOG_DAYS: 10,
      PURGE_INTERVAL_SECONDS: 3_600,
    };
    const logger = { info: vi.fn(), error: vi.fn() };
    const metrics = { counter: () => ({ inc: () => undefined }) };
    const resources = { settings, dataSource, eventStore, logger, metrics } as unknown as WorkerResources;
    const cipher = new EnvelopeCipher({ keys: [], sealing: false });
    const stores = createStores({ dataSource, eventStore, cipher, clock: systemClock });
    const ticker = purgeTicker(resources, stores);
    const left = async (text: string) => (await rows<{ of: string }>(text)).map((row) => row.of);
    ticker.start();
    // The last table of a run.
    await vi.waitUntil(async () => (await left('select resource as of from audit_log')).length < 2, {
      timeout: 60_000,
    });
    await ticker.stop();
    expect(logger.error).not.toHaveBeenCalled();
    const kept = [String(DAYS.kept)];
    expect(await left('select resource as of from audit_log')).toEqual(kept);
    expect(await left('select reason as of from webhook_attempts')).toEqual(kept);
    expect(await left('select item_id as of from parked_items')).toEqual(kept);
    expect(await left(`select item_key::json ->> 1 as of from parked_notes where kind = 'message'`)).toEqual(kept);
    expect(await left(`select 'x' as of from parked_notes where kind = 'delivery'`)).toHaveLength(2);
    const bodies =
      await left(`select e.description as of from webhook_deliveries d join webhook_endpoints e using (endpoint_id)
      where d.body is not null`);
    expect(bodies).toEqual(kept);
  });
});
