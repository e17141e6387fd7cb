import { randomUUID } from 'node:crypto';
import type { DeliveryLimits, NewDelivery } from '@turnkeeper/application';
import { afterAttempt, newSecret, type AttemptOutcome } from '@turnkeeper/domain';
import { eventually } from '@turnkeeper/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ReadModelDatabase } from '../../testing/read-model-database.js';
import { testCipher } from '../../testing/test-cipher.js';
import { ADMISSION_LOCK, ADMIT_DELIVERIES } from './admit-deliveries.sql.js';
import { PgDeliveryStore } from './delivery-store.js';
import { PgWebhookEndpointStore } from './webhook-endpoint-store.js';

const LIMITS: DeliveryLimits = { perEndpoint: 4, perTimedOut: 1, timedOutTotal: 3, atOnce: 1_000 };
const OK: AttemptOutcome = { kind: 'response', status: 204, durationMs: 1 };
const BROKEN: AttemptOutcome = { kind: 'response', status: 503, durationMs: 1 };
const TIMED_OUT: AttemptOutcome = { kind: 'failed', code: 'timeout', message: 'no answer', durationMs: 15_000 };

describe('admitting deliveries', () => {
  let database: ReadModelDatabase;
  let store: PgDeliveryStore;
  const tenantId = randomUUID();
  beforeAll(async () => {
    database = await ReadModelDatabase.create();
    store = new PgDeliveryStore(database.dataSource, testCipher);
  });
  afterAll(() => database?.close());
  beforeEach(() => database.rows('truncate webhook_endpoints cascade'));

  /** Creates an endpoint with this many due deliveries. */
  const endpoint = async (count: number, timeouts = 0): Promise<{ endpointId: string; ids: string[] }> => {
    const endpointId = randomUUID();
    await new PgWebhookEndpointStore(database.dataSource, testCipher).insert({
      endpointId,
      tenantId,
      url: 'https://example.com/',
      description: '',
      events: null,
      format: 'standard',
      secrets: [newSecret('s', new Date(0))],
      status: 'active',
      createdAt: new Date(0).toISOString(),
    });
    await database.rows('update webhook_endpoints set timeouts = $2 where endpoint_id = $1', [endpointId, timeouts]);
    const deliveries = Array.from({ length: count }, (): NewDelivery => ({
      deliveryId: randomUUID(),
      tenantId,
      endpointId,
      eventType: 'agent.history',
      causeEventId: randomUUID(),
      agentId: randomUUID(),
      messageId: randomUUID(),
      body: null,
      place: null,
      sessionKey: null,
    }));
    await database.unitOfWork.run((tx) => store.insert(tx, deliveries));
    return { endpointId, ids: deliveries.map(({ deliveryId }) => deliveryId) };
  };
  const admit = async (limits: Partial<DeliveryLimits> = {}): Promise<string[]> =>
    (await store.admit({ ...LIMITS, ...limits })).map(({ deliveryId }) => deliveryId);
  const attempt = async (deliveryId: string, outcome: AttemptOutcome): Promise<void> => {
    const claim = (await store.claim(deliveryId, 30))!;
    await store.finish(claim, outcome, afterAttempt(claim.delivery, outcome, { now: new Date(), random: 0 }));
  };
  const admittedOf = (all: readonly string[], { ids }: { ids: readonly string[] }) =>
    all.filter((id) => ids.includes(id)).length;
  const waitingFor = async (event: string): Promise<number> => {
    const [row] = await database.rows<{ n: number }>(
      'select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event = $1',
      [event],
    );
    return row?.n ?? 0;
  };
  const passTime = (seconds: number) =>
    database.rows(
      `update webhook_deliveries set admitted_until = admitted_until - make_interval(secs => $1),
         lease_until = lease_until - make_interval(secs => $1)`,
      [seconds],
    );

  it('admits deliveries with a place one after the other per agent, and past one that has failed for a minute', async () => {
    const { endpointId } = await endpoint(0);
    const agents = [randomUUID(), randomUUID()];
    const placed = [7, 9, 12].flatMap((place) =>
      agents.map((agentId) => ({
        ...{ deliveryId: randomUUID(), tenantId, endpointId, eventType: 'agent.action' as const, agentId, place },
        ...{ causeEventId: randomUUID(), messageId: randomUUID(), body: new Uint8Array(), sessionKey: null },
      })),
    );
    await database.unitOfWork.run((tx) => store.insert(tx, placed.toReversed()));
    const idsAt = (...places: number[]) =>
      placed.filter(({ place }) => places.includes(place)).map(({ deliveryId }) => deliveryId);
    const first = await admit();
    expect(first.toSorted()).toEqual(idsAt(7).toSorted());
    expect(await admit()).toEqual([]);
    const [good, bad] = idsAt(7) as [string, string];
    await attempt(good, OK);
    await attempt(bad, BROKEN);
    expect(await admit()).toEqual([idsAt(9)[0]]);
    await attempt(idsAt(9)[0]!, OK);
    expect(await admit()).toEqual([idsAt(12)[0]]);
    await database.rows(
      `update webhook_deliveries set created_at = created_at - interval '61 seconds' where delivery_id = $1`,
      [bad],
    );
    expect(await admit()).toEqual([idsAt(9)[1]]);
  });

  it('admits at most the limit per endpoint, however many are due', async () => {
    const [big, small] = [await endpoint(50), await endpoint(2)];
    const first = await admit();
    expect([admittedOf(first, big), admittedOf(first, small)]).toEqual([4, 2]);
    expect(await admit()).toEqual([]);
  });

  it('is not blocked by an open erasure that locks deliveries of one endpoint', async () => {
    const [erased, other] = [await endpoint(2), await endpoint(2)];
    await database.dataSource.transaction(async (erasure) => {
      await erasure.query('delete from webhook_deliveries where endpoint_id = $1', [erased.endpointId]);
      const admitted = await admit();
      expect([admittedOf(admitted, erased), admittedOf(admitted, other)]).toEqual([0, 2]);
    });
  });

  it('reports when it used the last slot of an endpoint', async () => {
    const [crowded, roomy] = [await endpoint(5), await endpoint(3)];
    const last = (await store.admit(LIMITS)).filter(({ isLastRoom }) => isLastRoom);
    expect(last.map(({ endpointId }) => endpointId)).toEqual([crowded.endpointId]);
    expect(last.map(({ endpointId }) => endpointId)).not.toContain(roomy.endpointId);
  });

  it('reuses the slots of finished deliveries', async () => {
    const big = await endpoint(50);
    const [done, failed, running] = await admit();
    await attempt(done!, OK);
    await attempt(failed!, BROKEN);
    await store.claim(running!, 30);
    const next = await admit();
    expect(admittedOf(next, big)).toBe(2);
    expect(next).not.toContain(failed);
  });

  it('respects the limit under concurrent calls', async () => {
    await endpoint(50);
    const values = [LIMITS.perEndpoint, LIMITS.perTimedOut, LIMITS.timedOutTotal, LIMITS.atOnce, 5, 60];
    const both = await database.dataSource.transaction(async (manager) => {
      await manager.query(ADMISSION_LOCK);
      const first = await manager.query<{ delivery_id: string }[]>(ADMIT_DELIVERIES, values);
      const second = admit();
      await eventually(async () => (await waitingFor('advisory')) + (await waitingFor('transactionid')) > 0);
      return { first, second: { later: second } };
    });
    expect([both.first.length, await both.second.later]).toEqual([4, []]);
  });

  it('is fair: the first delivery of each endpoint precedes any second one', async () => {
    const all = [await endpoint(10), await endpoint(10), await endpoint(10)];
    const first = await admit({ atOnce: 3 });
    expect(all.map((one) => admittedOf(first, one))).toEqual([1, 1, 1]);
  });

  it('admits one delivery for an endpoint that timed out, until it answers', async () => {
    const one = await endpoint(50);
    const [first, ...others] = await admit();
    await attempt(first!, TIMED_OUT);
    for (const other of others) await attempt(other, TIMED_OUT);
    const [probe, ...more] = await admit();
    expect([probe === undefined, more]).toEqual([false, []]);
    await attempt(probe!, BROKEN);
    expect(admittedOf(await admit(), one)).toBe(4);
  });

  it('caps timed-out endpoints together without reducing the slots of others', async () => {
    const hanging = await Promise.all(Array.from({ length: 10 }, () => endpoint(5, 1)));
    const healthy = await Promise.all(Array.from({ length: 10 }, () => endpoint(5)));
    const admitted = await admit();
    const count = (some: typeof hanging) => some.map((one) => admittedOf(admitted, one)).reduce((a, b) => a + b);
    expect([count(hanging), count(healthy)]).toEqual([3, 40]);
    expect(await admit()).toEqual([]);
    await attempt(
      admitted.find((id) => hanging.some(({ ids }) => ids.includes(id)))!,
      TIMED_OUT,
    );
    expect(await admit()).toHaveLength(1);
  });

  it('refills a wiped queue: unclaimed deliveries are admitted again in the same order', async () => {
    await endpoint(50);
    const first = await admit();
    await passTime(4);
    expect(await admit()).toEqual([]);
    await passTime(2);
    expect([...(await admit())].sort()).toEqual([...first].sort());
  });

  it('readmits deliveries held by a dead process', async () => {
    await endpoint(1);
    const [id] = await admit();
    await store.claim(id!, 30);
    await passTime(29);
    expect(await admit()).toEqual([]);
    await passTime(2);
    expect(await admit()).toEqual([id]);
  });
});
