import { randomUUID } from 'node:crypto';
import { DeliverWebhook, type HistoryLinks, type WebhookTransport } from '@turnkeeper/application';
import { newSecret, type AttemptOutcome } from '@turnkeeper/domain';
import { InMemoryEventStore } from '@turnkeeper/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { DatabaseClock } from './database-clock.js';
import { ReadModelDatabase } from '../testing/read-model-database.js';
import { testCipher } from '../testing/test-cipher.js';
import { TypeOrmAgentStore } from '../projections/agents/agent-store.js';
import { PgDeliveryStore } from '../work/deliveries/delivery-store.js';
import { PgWebhookEndpointStore } from '../work/deliveries/webhook-endpoint-store.js';

const HOUR_MS = 3_600_000;
const BROKEN: AttemptOutcome = { kind: 'response', status: 500, durationMs: 3 };

describe('a clock that all processes agree on', () => {
  let database: ReadModelDatabase;
  beforeAll(async () => {
    database = await ReadModelDatabase.create();
  });
  afterAll(() => database?.close());
  afterEach(() => void vi.useRealTimers());

  /** How far a time is ahead of the database clock, in milliseconds. */
  const aheadOfDatabase = async (at: Date | string): Promise<number> => {
    const [row] = await database.rows<{ ms: number }>(
      `select (extract(epoch from $1::timestamptz - clock_timestamp()) * 1000)::float8 as ms`,
      [at],
    );
    return row!.ms;
  };
  const shiftClock = (ms: number): void => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });

  it.each([
    ['25 hours behind', -25 * HOUR_MS],
    ['a day ahead', 24 * HOUR_MS],
  ])('stamps and retries a webhook on time when the process clock is %s', async (_, shiftMs) => {
    const endpoints = new PgWebhookEndpointStore(database.dataSource, testCipher);
    const deliveries = new PgDeliveryStore(database.dataSource, testCipher);
    const [tenantId, endpointId, deliveryId] = [randomUUID(), randomUUID(), randomUUID()];
    await endpoints.insert({
      endpointId,
      tenantId,
      url: 'https://example.com/hook',
      description: '',
      events: null,
      format: 'standard',
      secrets: [newSecret('whsec_x', new Date())],
      status: 'active',
      createdAt: new Date().toISOString(),
    });
    await database.unitOfWork.run((tx) =>
      deliveries.insert(tx, [
        {
          deliveryId,
          tenantId,
          endpointId,
          eventType: 'memory.deleted',
          causeEventId: randomUUID(),
          agentId: null,
          messageId: 'msg_1',
          place: null,
          sessionKey: null,
          body: Buffer.from('{}'),
        },
      ]),
    );
    shiftClock(shiftMs);
    const sentAt: Date[] = [];
    const transport: WebhookTransport = {
      attempt: ({ at }) => {
        sentAt.push(at);
        return Promise.resolve(BROKEN);
      },
    };
    const deliver = new DeliverWebhook({
      deliveries,
      transport,
      agents: new TypeOrmAgentStore(database.dataSource),
      eventStore: new InMemoryEventStore(),
      historyLinks: {} as HistoryLinks,
      every: () => () => undefined,
      monotonicMs: () => performance.now(),
      random: () => 0,
      settings: { maxBytes: 1_000, leaseSeconds: 30 },
    });

    await deliver.execute(deliveryId, new AbortController().signal);

    expect(Math.abs(await aheadOfDatabase(sentAt[0]!))).toBeLessThan(5_000);
    const [delivery] = await deliveries.list(tenantId, endpointId, {}, { limit: 1 });
    const waitMs = await aheadOfDatabase(delivery!.delivery.dueAt!);
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThan(60_000);
  });

  it('needs no round trip per read and ignores jumps of the process clock', async () => {
    const clock = await DatabaseClock.start(database.dataSource);
    shiftClock(-25 * HOUR_MS);
    expect(Math.abs(await aheadOfDatabase(clock.now()))).toBeLessThan(1_000);
    clock.stop();
  });
});
