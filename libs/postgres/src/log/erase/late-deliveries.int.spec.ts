import { randomUUID } from 'node:crypto';
import { creation, eventually, messages, recordsExtracted } from '@turnkeeper/testing';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LogDatabase } from '../../testing/log-database.js';
import { DELIVERIES_LOCK } from '../../work/deliveries/deliveries-lock.js';

let log: LogDatabase;
beforeAll(async () => {
  log = await LogDatabase.create();
});
afterAll(() => log?.close());

/** Adds a delivery of the event, as a dispatcher that read the event earlier does. */
const addDelivery = async (client: pg.PoolClient, tenantId: string, eventId: string): Promise<void> => {
  await client.query(`select pg_advisory_xact_lock_shared(${DELIVERIES_LOCK})`);
  await client.query(
    `insert into webhook_deliveries (delivery_id, tenant_id, endpoint_id, event_type, cause_event_id, message_id, status, body)
     select gen_random_uuid(), tenant_id, endpoint_id, 'records.extracted', $2, $3, 'pending', 'about ada'
       from webhook_endpoints where tenant_id = $1`,
    [tenantId, eventId, randomUUID()],
  );
};

it('deletes the deliveries that a dispatcher was adding while the session was closed', async () => {
  const request = creation(randomUUID(), randomUUID());
  const { tenantId, memoryId } = request;
  await log.store.append(request);
  await log.pool.query(
    `insert into webhook_endpoints (endpoint_id, tenant_id, url, description, format, secrets, status)
     values (gen_random_uuid(), $1, 'https://example.com', '', 'standard', '[]', 'active')`,
    [tenantId],
  );
  const scope = { tenantId, memoryId, actorId: 'ada', sessionId: 'monday' };
  const { firstPosition } = await log.store.append({ ...scope, events: messages(1) });
  await log.store.append({ ...scope, events: [recordsExtracted()] });
  const extracted = (await log.store.readLog(firstPosition - 1, 10)).find(({ type }) => type === 'records.extracted')!;
  const deliveries = async (): Promise<number> =>
    Number((await log.pool.query('select count(*) as n from webhook_deliveries')).rows[0].n);

  const ended: string[] = [];
  const purged = await log.transaction(async (_, client) => {
    await addDelivery(client, tenantId, extracted.eventId);
    const keys = await log.closeSessions(scope);
    const purge = log.store.erasure.purgeSessions(keys).finally(() => ended.push('purge'));
    await eventually(async () => {
      const { rows } = await log.pool.query(
        `select pid from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`,
      );
      return rows.length > 0;
    });
    ended.push('dispatch');
    return { purge };
  });
  expect(await purged.purge).toBe(2);
  expect(ended).toEqual(['dispatch', 'purge']);
  expect(await deliveries()).toBe(0);
});
