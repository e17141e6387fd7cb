import { randomUUID } from 'node:crypto';
import type { ActivitySample } from '@turnkeeper/application';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ReadModelDatabase } from '../testing/read-model-database.js';
import { PgActivityLog } from './activity-log.js';

let database: ReadModelDatabase;
beforeAll(async () => {
  database = await ReadModelDatabase.create();
});
afterAll(() => database?.close());

const sample: ActivitySample = {
  lags: [{ follower: 'relay', events: 3, seconds: 1.5 }],
  due: [{ kind: 'delivery', seconds: 4 }],
  parked: 2,
};

/** Makes all samples older, as if the time had passed. */
const pass = (seconds: number) =>
  database.rows(
    `update activity_samples set slot = slot - $1::int / 10, taken_at = taken_at - make_interval(secs => $1)`,
    [seconds],
  );

it('stores one sample per ten seconds for all workers, with what happened since the previous one', async () => {
  const logs = [1, 2, 3].map(() => new PgActivityLog(database.dataSource));
  const log = logs[0]!;
  expect(await log.lastHour()).toEqual([]);
  await Promise.all(logs.map((each) => each.add(sample)));
  // The boundary of a slot may lie between two of the calls.
  await database.rows('delete from activity_samples where slot > (select min(slot) from activity_samples)');
  const [first, ...more] = await log.lastHour();
  expect(more).toEqual([]);
  expect(first).toMatchObject({ ...sample, appendedPerSecond: null, webhookAttempts: { delivered: 0, failed: 0 } });

  await pass(20);
  const session = await database.session(await database.memory());
  await database.say(session, 40);
  const endpointId = randomUUID();
  const { tenantId } = session;
  await database.rows(
    `insert into webhook_endpoints (endpoint_id, tenant_id, url, description, format, secrets, status, created_at)
     values ($1, $2, 'https://example.com', '', 'standard', '[]', 'active', now())`,
    [endpointId, tenantId],
  );
  await database.rows(
    `with made as (
       insert into webhook_deliveries (delivery_id, tenant_id, endpoint_id, event_type, cause_event_id, message_id)
       values (gen_random_uuid(), $1, $2, 'agent.started', gen_random_uuid(), 'm') returning delivery_id)
     insert into webhook_attempts (delivery_id, attempt, at, reason, status, duration_ms)
     select delivery_id, n, now() - make_interval(secs => case n when 4 then 300 else 8 end),
            case n when 3 then 'delivered' else 'timeout' end, null, 1
       from made, generate_series(1, 4) n`,
    [tenantId, endpointId],
  );
  await log.add(sample);
  const [moved, second] = await log.lastHour();
  expect(second!.appendedPerSecond).toBeGreaterThan(0.5);
  expect(second!.appendedPerSecond).toBeLessThanOrEqual(41 / 20);
  expect(second!.webhookAttempts).toEqual({ delivered: 1, failed: 2 });
  expect(await log.lastHour(moved!.at)).toEqual([second]);
  expect(await log.lastHour(second!.at)).toEqual([]);

  await pass(3_590);
  expect(await log.lastHour()).toHaveLength(1);
  await pass(3_700);
  await log.add(sample);
  expect(await database.rows('select 1 from activity_samples')).toHaveLength(1);
});
