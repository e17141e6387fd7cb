import { randomUUID } from 'node:crypto';
import { PARKED_KINDS, type ParkedKind, type ParkedWork } from '@turnkeeper/application';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ReadModelDatabase } from '../../testing/read-model-database.js';
import { PgParkedWorkStore } from './parked-work-store.js';
import { PgParkingLot } from './parking-lot.js';

describe('parked work', () => {
  let database: ReadModelDatabase;
  let store: PgParkedWorkStore;
  let scope: { tenantId: string; memoryId: string };
  beforeAll(async () => {
    database = await ReadModelDatabase.create();
    store = new PgParkedWorkStore(database.dataSource);
  });
  afterAll(() => database?.close());
  beforeEach(async () => {
    await database.rows(
      'truncate parked_items, parked_notes, parked_windows, extraction_states, webhook_endpoints, webhook_deliveries, connectors cascade',
    );
    scope = await database.memory();
    await parkOneOfEach();
  });

  const [endpointId, deliveryId, connectorId, noticeKey] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  /** As an earlier release parked a message of JetStream. */
  const parkMessage = (itemId: string) =>
    new PgParkingLot(database.dataSource).park({
      source: 'jetstream/EVENTS/worker-dispatcher',
      itemId,
      code: 'delivery.exhausted',
      error: 'it broke',
      payload: '{"v":1}',
      attempts: 12,
    });
  const parkOneOfEach = async (): Promise<void> => {
    const { tenantId, memoryId } = scope;
    const session = await database.session(scope);
    const [strategy] = await database.rows<{ id: string }>(
      'select strategy_id as id from strategies where memory_id = $1',
      [memoryId],
    );
    await database.rows(
      `insert into extraction_states (session_key, strategy_id, tenant_id, memory_id, actor_id, session_id, status,
                                      newest_sequence, attempts, last_code)
       values ($1, $2, $3, $4, 'ada', 'thread', 'parked', 3, 6, 'model.bad_answer')`,
      [session.sessionKey, strategy!.id, tenantId, memoryId],
    );
    await database.rows(
      `insert into webhook_endpoints (endpoint_id, tenant_id, url, description, format, secrets, status, created_at)
       values ($1, $2, 'https://example.com', '', 'standard', '[]', 'active', now())`,
      [endpointId, tenantId],
    );
    await database.rows(
      `insert into webhook_deliveries (delivery_id, tenant_id, endpoint_id, event_type, cause_event_id, message_id, body,
                                       status, attempts, park_reason)
       values ($1, $2, $3, 'memory.deleted', gen_random_uuid(), 'msg_1', '{}', 'parked', 16, 'exhausted')`,
      [deliveryId, tenantId, endpointId],
    );
    await database.rows(
      `insert into webhook_attempts (delivery_id, attempt, reason, status, duration_ms, detail)
       values ($1, 16, 'connect', null, 3, 'connection refused')`,
      [deliveryId],
    );
    await database.rows(
      `insert into connectors (connector_id, tenant_id, memory_id, vendor, description, places, secrets, created_at)
       values ($1, $2, $3, 'agora', '', '{}', '[]', now())`,
      [connectorId, tenantId, memoryId],
    );
    await database.rows(
      `insert into connector_notices (connector_id, notice_key, tenant_id, call_key, event_type, body, status, code)
       values ($1, $2, $3, 'call', '103', '{}', 'parked', 'agent.not_running')`,
      [connectorId, noticeKey, tenantId],
    );
    await database.rows(`insert into connector_calls (connector_id, call_key, tenant_id) values ($1, 'call', $2)`, [
      connectorId,
      tenantId,
    ]);
    await parkMessage('item');
  };
  const list = () => store.list({}, { limit: 100 });
  const kinds = async () => (await list()).map(({ kind }) => kind).sort();
  const of = async (kind: ParkedKind): Promise<ParkedWork> => (await list()).find((work) => work.kind === kind)!;

  it('of all kinds is in one list, with reason and raw cause, and can be filtered', async () => {
    const { tenantId, memoryId } = scope;
    expect(await of('message')).toMatchObject({
      tenantId: null,
      code: 'delivery.exhausted',
      attempts: 12,
      cause: 'jetstream/EVENTS/worker-dispatcher: it broke',
    });
    expect(await of('window')).toMatchObject({ tenantId, memoryId, code: 'model.bad_answer', attempts: 6 });
    expect(await of('delivery')).toMatchObject({ tenantId, code: 'exhausted', cause: 'connect: connection refused' });
    expect(await of('notice')).toMatchObject({ tenantId, memoryId, code: 'agent.not_running', cause: 'event 103' });
    expect(await store.list({ kind: 'notice', tenantId }, { limit: 9 })).toHaveLength(1);
    expect(await store.list({ tenantId: randomUUID() }, { limit: 9 })).toEqual([]);
    expect(await store.list({ code: 'exhausted' }, { limit: 9 })).toHaveLength(1);
  });

  it('is listed page by page, each item once', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, index) => parkMessage(`more ${index}`)));
    const seen: ParkedWork[] = [];
    for (let after; ;) {
      const page: readonly ParkedWork[] = await store.list({}, { limit: 7, after });
      seen.push(...page);
      const last = page.at(-1);
      if (page.length < 7 || last === undefined) break;
      after = { parkedAt: last.parkedAt, key: `[${last.key.map((part) => JSON.stringify(part)).join(', ')}]` };
    }
    expect(new Set(seen.map(({ kind, key }) => JSON.stringify([kind, key]))).size).toBe(24);
    expect(seen).toHaveLength(24);
  });

  it.each(PARKED_KINDS)('a %s is retried and no longer parked', async (kind) => {
    await store.replay(await of(kind));
    expect(await kinds()).toEqual(PARKED_KINDS.filter((other) => other !== kind).toSorted());
    const due = {
      message: `select 1 from parked_items where resolved_at is not null`,
      window: `select 1 from extraction_states where status = 'waiting' and due_at <= now() and attempts = 0`,
      delivery: `select 1 from webhook_deliveries where status = 'pending' and due_at <= now() and attempts = 0`,
      notice: `select 1 from connector_calls join connector_notices using (connector_id, call_key)
                where due_at <= now() and status = 'waiting'`,
    };
    expect(await database.rows(due[kind])).toHaveLength(1);
  });

  it('a delivery of a disabled endpoint is not retried and stays parked until the endpoint is resumed', async () => {
    const setStatus = (status: string) =>
      database.rows('update webhook_endpoints set status = $1 where endpoint_id = $2', [status, endpointId]);
    await setStatus('disabled');
    const work = await of('delivery');
    await expect(store.replay(work)).rejects.toMatchObject({ code: 'webhook_endpoint.disabled' });
    expect(await kinds()).toContain('delivery');
    expect((await store.counts()).map((count) => count.kind)).toContain('delivery');
    await setStatus('active');
    await store.replay(work);
    expect(await kinds()).not.toContain('delivery');
  });

  it.each(PARKED_KINDS)('a dropped %s is neither listed nor counted', async (kind) => {
    const work = await of(kind);
    await store.drop(work);
    expect(await kinds()).toEqual(PARKED_KINDS.filter((other) => other !== kind).toSorted());
    expect((await store.counts()).map((count) => count.kind)).not.toContain(kind);
    await store.drop(work); // idempotent
    await expect(store.replay(work)).rejects.toMatchObject({ code: 'parked.not_found' });
  });

  it('a session that is parked as a whole and dropped skips its range, and later messages are read', async () => {
    await store.drop(await of('window'));
    expect(
      await database.rows(
        'select from_sequence::int, to_sequence::int, code, dropped_at is not null as dropped from parked_windows',
      ),
    ).toEqual([{ from_sequence: 1, to_sequence: 3, code: 'model.bad_answer', dropped: true }]);
    const [state] = await database.rows<{ session_key: string }>(
      'select session_key, status, watermark::int, attempts, last_code from extraction_states',
    );
    expect(state).toMatchObject({ status: 'idle', watermark: 3, attempts: 0, last_code: null });
    await database.rows('select note_progress($1, $2, $3, $4, 5, 30)', [[state!.session_key], [4], [1], [0]]);
    expect(await database.rows('select status, newest_sequence::int from extraction_states')).toEqual([
      { status: 'waiting', newest_sequence: 4 },
    ]);
    expect(await kinds()).not.toContain('window');
  });

  it('an event that could not be dispatched is requested from the dispatcher, or dropped', async () => {
    const parkingLot = new PgParkingLot(database.dataSource);
    const park = (itemId: string) =>
      parkingLot.park({
        source: 'dispatch',
        itemId,
        code: 'dispatch.event_failed',
        error: 'RangeError',
        attempts: 3,
        payload: JSON.stringify({
          position: 7,
          sessionKey: 1,
          sequence: 1,
          type: 'message.appended',
          isUserTurn: true,
        }),
      });
    await park('7');
    await park('8');
    await store.replay({ kind: 'message', key: ['dispatch', '7'] });
    await store.drop({ kind: 'message', key: ['dispatch', '8'] });
    expect(await kinds()).toHaveLength(4);
    expect(await parkingLot.requested(10)).toEqual([7]);
    const again = store.replay({ kind: 'message', key: ['dispatch', '7'] });
    await expect(again).rejects.toMatchObject({ code: 'parked.not_found' });
  });

  it('names the status of a failed delivery, and not the response, which may repeat what was sent', async () => {
    const cause = async () => (await of('delivery')).cause;
    expect(await cause()).toBe('connect: connection refused');
    await database.rows(
      `insert into webhook_attempts (delivery_id, attempt, reason, status, duration_ms, detail)
       values ($1, 17, 'rejected', 500, 3, 'Ada said hello')`,
      [deliveryId],
    );
    expect(await cause()).toBe('rejected: status 500');
  });

  it('that cannot be retried reports so and stays', async () => {
    await database.rows('update connector_notices set body = null');
    const replay = store.replay(await of('notice'));
    await expect(replay).rejects.toMatchObject({ code: 'parked.not_replayable' });
    expect(await list()).toHaveLength(4);
  });

  it('is reported as new once, whichever process asks', async () => {
    const news = (await Promise.all([store.takeNews(100), store.takeNews(100), store.takeNews(100)])).flat();
    expect(news.map(({ kind }) => kind).sort()).toEqual([...PARKED_KINDS].sort());
    await parkMessage('later');
    expect((await store.takeNews(100)).map(({ key }) => key[1])).toEqual(['later']);
    expect(await store.counts()).toContainEqual({ kind: 'message', count: 2, oldestSeconds: expect.any(Number) });
  });
});
