import { randomUUID } from 'node:crypto';
import {
  DispatchEvents,
  ManageParkedWork,
  PlanDeliveries,
  ReplayDispatch,
  type ParkedItem,
  type UnitOfWork,
} from '@turnkeeper/application';
import { newSecret, type NewEvent } from '@turnkeeper/domain';
import { creation, InMemoryEventStore, message } from '@turnkeeper/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ReadModelDatabase } from '../../testing/read-model-database.js';
import { testCipher } from '../../testing/test-cipher.js';
import { PgDispatchCursor } from './dispatch-cursor.js';
import { PgDeliveryStore } from '../deliveries/delivery-store.js';
import { isLastingFailure, isTooSlow } from '../../connections/lasting-failure.js';
import { PgParkedWorkStore } from '../parked/parked-work-store.js';
import { PgParkingLot } from '../parked/parking-lot.js';
import { PgExtractionSchedule } from '../extraction/extraction-schedule.js';
import { PgWebhookEndpointStore } from '../deliveries/webhook-endpoint-store.js';

const TIMING = { turnInterval: 1_000, quietSeconds: 60 };

describe('event dispatch', () => {
  let database: ReadModelDatabase;
  let log: InMemoryEventStore;
  let memory: { tenantId: string; memoryId: string };
  beforeAll(async () => {
    database = await ReadModelDatabase.create();
  });
  afterAll(() => database?.close());
  beforeEach(async () => {
    await database.rows(
      'truncate deferred_progress, parked_items, extraction_states, sessions, memories, strategies, dispatch_cursor, webhook_endpoints cascade',
    );
    memory = await database.memory();
    log = new InMemoryEventStore();
    await log.append(creation(memory.tenantId, memory.memoryId));
  });

  const dispatcher = (
    unitOfWork: UnitOfWork = database.unitOfWork,
    parts: Partial<ConstructorParameters<typeof DispatchEvents>[0]> = {},
  ) =>
    new DispatchEvents({
      unitOfWork,
      eventStore: log,
      cursor: new PgDispatchCursor(database.dataSource),
      extractionSchedule: new PgExtractionSchedule(database.dataSource),
      planDeliveries: new PlanDeliveries({
        endpoints: new PgWebhookEndpointStore(database.dataSource, testCipher),
        deliveries: new PgDeliveryStore(database.dataSource, testCipher),
        ids: { next: randomUUID, derive: (...parts) => uuidOf(JSON.stringify(parts)) },
      }),
      timing: TIMING,
      parkingLot: new PgParkingLot(database.dataSource),
      isLasting: isLastingFailure,
      isTooSlow,
      ...parts,
    });
  /** Appends to the log and creates the session row, as the Postgres log would. */
  const append = async (sessionId: string, events: readonly NewEvent[]): Promise<void> => {
    await log.append({ ...memory, actorId: 'ada', sessionId, events });
    const [newest] = (await log.readLog(0, 1_000_000)).slice(-1);
    await database.rows(
      `insert into sessions (session_key, tenant_id, memory_id, actor_id, session_id, created_at)
       overriding system value values ($1, $2, $3, 'ada', $4, now()) on conflict do nothing`,
      [newest!.sessionKey, memory.tenantId, memory.memoryId, sessionId],
    );
  };
  const counted = async () =>
    (
      await database.rows<{ turns: number; newest: number }>(
        'select pending_turns as turns, newest_sequence::int as newest from extraction_states order by session_id',
      )
    ).map(({ turns, newest }) => [turns, newest]);
  const position = () => new PgDispatchCursor(database.dataSource).position();

  it('counts every event once, whatever the number of dispatchers and runs', async () => {
    await append('a', [message()]);
    await append('b', [message()]);
    const dispatchers = Array.from({ length: 4 }, () => dispatcher());
    const counts: number[] = [];
    const run = async (): Promise<void> => {
      counts.push(...(await Promise.all(dispatchers.map(async (one) => (await one.execute()).events))));
    };
    for (let round = 0; round < 5; round += 1) {
      const running = run();
      await append(
        'a',
        Array.from({ length: 130 }, () => message()),
      );
      await append(
        'b',
        Array.from({ length: 170 }, () => message()),
      );
      await Promise.all([running, run()]);
    }
    await run();
    const total = 3 + 5 * 300; // including the memory itself
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(total);
    expect(await counted()).toEqual([
      [651, 651],
      [851, 851],
    ]);
    expect(await position()).toBe(total);
  });

  it('is atomic: after a failure, the next run processes everything', async () => {
    await append('a', [message(), message()]);
    const broken = new Error('connection lost');
    const breaking: UnitOfWork = {
      run: (work) =>
        database.unitOfWork.run(async (tx) => {
          await work(tx);
          throw broken;
        }),
      runFor: (_, work) => breaking.run(work),
      append: () => Promise.reject(broken),
      appendFor: () => Promise.reject(broken),
    };
    await expect(dispatcher(breaking).execute()).rejects.toBe(broken);
    expect([await counted(), await position()]).toEqual([[], 0]);
    expect(await dispatcher().execute()).toEqual({ events: 3, extractionsDue: false, deliveriesDue: false });
    expect(await counted()).toEqual([[2, 2]]);
    expect(await dispatcher().execute()).toEqual({ events: 0, extractionsDue: false, deliveriesDue: false });
  });

  it('plans one delivery per stop and endpoint, with a deterministic id', async () => {
    const endpoints = new PgWebhookEndpointStore(database.dataSource, testCipher);
    const endpoint = (tenantId: string, format: 'standard' | 'agora') => ({
      ...{ endpointId: randomUUID(), tenantId, url: 'https://example.com', description: '', format },
      ...{ events: ['agent.history'] as const, secrets: [newSecret('s', new Date())], status: 'active' as const },
      createdAt: new Date().toISOString(),
    });
    const mine = [endpoint(memory.tenantId, 'standard'), endpoint(memory.tenantId, 'agora')];
    for (const one of [...mine, endpoint(randomUUID(), 'standard')]) await endpoints.insert(one);
    await append('a', [message(), stopped()]);
    const runs = await Promise.all([dispatcher().execute(), dispatcher().execute()]);
    expect(runs.map(({ deliveriesDue }) => deliveriesDue).sort()).toEqual([false, true]);
    const planned = () =>
      database.rows<{ endpoint_id: string; message_id: string }>(
        'select endpoint_id, message_id from webhook_deliveries order by message_id',
      );
    const first = await planned();
    expect(first.map(({ endpoint_id }) => endpoint_id).sort()).toEqual(mine.map(({ endpointId }) => endpointId).sort());

    await database.rows('update dispatch_cursor set position = 0'); // as if never dispatched
    await dispatcher().execute();
    expect(await planned()).toEqual(first);
  });

  describe('with a locked row', () => {
    /** Runs work while a separate transaction holds the lock. */
    const whileLocked = async (lock: string, work: () => Promise<void>) => {
      await database.dataSource.transaction(async (manager) => {
        expect(await manager.query(lock)).not.toEqual([]);
        await work();
      });
    };

    it.each([
      ['its session, as an erasure has it', `select 1 from sessions where session_id = 'a' for update`],
      ['its state, as a commit has it', `select 1 from extraction_states where session_id = 'a' for update`],
    ])('defers one session and dispatches the others: %s', async (_, lock) => {
      await append('a', [message()]);
      await append('b', [message()]);
      await dispatcher().execute();
      await whileLocked(lock, async () => {
        await append('a', [message()]);
        await append('b', [message()]);
        expect(await dispatcher().execute()).toMatchObject({ events: 2 });
        expect(await counted()).toEqual([
          [1, 1],
          [2, 2],
        ]);
        // Later events of the same session stay behind it, in log order.
        await append('a', [message(), stopped()]);
        expect(await dispatcher().execute()).toMatchObject({ events: 2, extractionsDue: false });
        expect(await position()).toBe(7);
      });
      expect(await dispatcher().execute()).toMatchObject({ events: 0, extractionsDue: true });
      expect(await counted()).toEqual([
        [3, 4],
        [2, 2],
      ]);
      expect(await database.rows('select 1 from deferred_progress')).toEqual([]);
    });

    it('drops the deferred events of an erased session', async () => {
      await append('a', [message()]);
      await whileLocked(`select 1 from sessions where session_id = 'a' for update`, async () => {
        await dispatcher().execute();
      });
      await database.rows(`delete from sessions`);
      await dispatcher().execute();
      expect(await database.rows('select 1 from deferred_progress')).toEqual([]);
      expect(await counted()).toEqual([]);
    });

    it('waits at most a few seconds for a frozen process that holds the cursor', async () => {
      await append('a', [message()]);
      await dispatcher().execute();
      let isLocked: () => void = () => undefined;
      const locked = new Promise<void>((resolve) => (isLocked = resolve));
      let thaw: () => void = () => undefined;
      const thawed = new Promise<void>((resolve) => (thaw = resolve));
      const cursor = new PgDispatchCursor(database.dataSource);
      const frozen = database.unitOfWork.run(async (tx) => {
        const before = await cursor.lock(tx);
        isLocked();
        await thawed;
        await cursor.advance(tx, before);
      });
      frozen.catch(() => undefined);
      await locked;
      await append('a', [message()]);
      const startedAt = performance.now();
      expect(await dispatcher().execute()).toMatchObject({ events: 1 });
      expect(performance.now() - startedAt).toBeLessThan(5_000);
      thaw();
      // Its transaction is gone; at most it restarts from the current cursor.
      await frozen.catch(() => undefined);
      expect(await dispatcher().execute()).toMatchObject({ events: 0 });
      expect(await counted()).toEqual([[2, 2]]);
    });
  });

  it('parks an event that fails repeatedly and continues behind it', async () => {
    await append(
      'a',
      Array.from({ length: 20 }, () => message()),
    );
    await append('b', [stopped()]);
    await append(
      'a',
      Array.from({ length: 20 }, () => message()),
    );
    const parked: ParkedItem[] = [];
    const poisoned = dispatcher(database.unitOfWork, {
      planDeliveries: {
        execute: async (_, events) => {
          if (events.length > 0) throw new TypeError('cannot read properties of undefined');
          return 0;
        },
      },
      onParked: (item) => parked.push(item),
    });
    for (let run = 1; run <= 2; run += 1) await expect(poisoned.execute()).rejects.toThrow(TypeError);
    // Earlier events are already dispatched.
    expect(await counted()).toEqual([[20, 20]]);
    await poisoned.execute();
    expect(await counted()).toEqual([[40, 40]]);
    expect(parked).toMatchObject([{ source: 'dispatch', itemId: '22', code: 'dispatch.event_failed', attempts: 3 }]);
    expect(await database.rows('select item_id from parked_items')).toEqual([{ item_id: '22' }]);
  });

  it('dispatches a parked event on request, once', async () => {
    const endpoints = new PgWebhookEndpointStore(database.dataSource, testCipher);
    await endpoints.insert({
      ...{ endpointId: randomUUID(), tenantId: memory.tenantId, url: 'https://example.com', description: '' },
      ...({ events: null, format: 'standard', status: 'active', createdAt: new Date().toISOString() } as const),
      secrets: [newSecret('s', new Date())],
    });
    await append('a', [message()]);
    await append('b', [stopped()]);
    let isPoisoned = true;
    const planDeliveries = new PlanDeliveries({
      endpoints,
      deliveries: new PgDeliveryStore(database.dataSource, testCipher),
      ids: { next: randomUUID, derive: (...parts) => uuidOf(JSON.stringify(parts)) },
    });
    const poisonable: Pick<PlanDeliveries, 'execute'> = {
      execute: async (tx, events) => {
        if (isPoisoned && events.length > 0) throw new TypeError('cannot read properties of undefined');
        return planDeliveries.execute(tx, events);
      },
    };
    const poisoned = dispatcher(database.unitOfWork, { planDeliveries: poisonable });
    while ((await position()) < 3) await poisoned.execute().catch(() => undefined);
    const parkingLot = new PgParkingLot(database.dataSource);
    const replay = new ReplayDispatch({
      ...{ unitOfWork: database.unitOfWork, eventStore: log, cursor: new PgDispatchCursor(database.dataSource) },
      ...{
        extractionSchedule: new PgExtractionSchedule(database.dataSource),
        planDeliveries: poisonable,
        timing: TIMING,
      },
      ...{ replays: parkingLot, isLasting: isLastingFailure },
    });
    const parked = new PgParkedWorkStore(database.dataSource);
    const manage = new ManageParkedWork(parked);
    const deliveries = () => database.rows('select event_type from webhook_deliveries order by event_type');
    const name = { kind: 'message', key: ['dispatch', '3'] } as const;

    // Nothing was asked for.
    await replay.execute();
    expect(await deliveries()).toEqual([]);

    // Still poisoned: it is parked again, with one more attempt.
    await manage.replay(name);
    expect(await parked.find(name)).toBeNull();
    await replay.execute();
    expect(await parked.find(name)).toMatchObject({ attempts: 4, code: 'dispatch.event_failed' });
    expect(await deliveries()).toEqual([]);

    isPoisoned = false;
    await manage.replay(name);
    await Promise.all([replay.execute(), replay.execute(), replay.execute()]);
    expect(await deliveries()).toEqual([{ event_type: 'agent.history' }, { event_type: 'agent.stopped' }]);
    expect(await counted()).toEqual([
      [1, 1],
      [0, 1],
    ]);
    expect(await parked.list({}, { limit: 10 })).toEqual([]);
    expect(await parkingLot.requested(10)).toEqual([]);
  });

  it('holds no transaction open while reading, however long that takes', async () => {
    await append('a', [message(), message()]);
    const slow = Object.create(log, {
      readOutline: {
        value: async (after: number, limit: number) => {
          // Longer than the idle limit of a transaction that holds the cursor.
          await new Promise((resolve) => setTimeout(resolve, 2_500));
          return log.readOutline(after, limit);
        },
      },
    }) as InMemoryEventStore;
    expect(await dispatcher(database.unitOfWork, { eventStore: slow }).execute()).toMatchObject({ events: 3 });
    expect(await counted()).toEqual([[2, 2]]);
  });

  it('reduces the page size after a timeout and parks an event that times out alone', async () => {
    await append(
      'a',
      Array.from({ length: 40 }, () => message()),
    );
    const timeout = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
    const parked: ParkedItem[] = [];
    const slow = (isSlow: (after: number, limit: number) => boolean) =>
      dispatcher(database.unitOfWork, {
        eventStore: Object.create(log, {
          readOutline: {
            value: (after: number, limit: number) =>
              isSlow(after, limit) ? Promise.reject(timeout) : log.readOutline(after, limit),
          },
        }) as InMemoryEventStore,
        onParked: (item) => parked.push(item),
      });
    expect(await slow((after, limit) => after < 10 && limit > 3).execute()).toMatchObject({ events: 41 });
    expect(parked).toEqual([]);

    await append('b', [message(), message(), message()]);
    const stuck = slow((after, limit) => after < 43 && after + limit >= 43);
    for (let run = 1; run < 5; run += 1) await expect(stuck.execute()).rejects.toThrow(timeout);
    expect(await position()).toBe(42);
    expect(await stuck.execute()).toMatchObject({ events: 1 });
    expect(await position()).toBe(44);
    expect(parked).toMatchObject([{ itemId: '43', attempts: 5 }]);
    expect(await counted()).toEqual([
      [40, 40],
      [2, 3],
    ]);
  });

  it('skips events that are no longer readable', async () => {
    const now = { ms: Date.now() };
    log = new InMemoryEventStore(() => new Date(now.ms));
    await log.append(creation(memory.tenantId, memory.memoryId, 1));
    await append('a', [message(), message()]);
    now.ms += 2 * 86_400_000;
    expect(await dispatcher().execute()).toMatchObject({ events: 1 }); // memory.created does not expire
    expect(await position()).toBe(3);
  });

  it('notifies each receiver of an erased actor’s histories once, and no other endpoint', async () => {
    const [receiver, deaf, other] = [randomUUID(), randomUUID(), randomUUID()];
    for (const [endpointId, events] of [
      [receiver, ['erasure.completed']],
      [deaf, ['agent.history']],
      [other, ['erasure.completed']],
    ] as const) {
      await database.rows(
        `insert into webhook_endpoints (endpoint_id, tenant_id, url, description, events, format, secrets, status)
         values ($1, $2, 'http://127.0.0.1:9', '', $3, 'standard', '[]', 'active')`,
        [endpointId, memory.tenantId, events],
      );
    }
    const agentIds = [randomUUID()];
    await log.append({
      ...{ tenantId: memory.tenantId, memoryId: memory.memoryId, actorId: null, sessionId: null },
      events: [
        {
          ...{ eventId: randomUUID(), type: 'content.erased', schemaVersion: 1, occurredAt: null },
          data: {
            ...{ target: 'actor', sessionKeys: [], position: null, withdrawnRecords: 0 },
            ...{ agentIds, receivers: [receiver, deaf] },
          },
        },
      ],
    });
    await dispatcher().execute();
    await database.rows('update dispatch_cursor set position = 0');
    await dispatcher().execute();
    const rows = await database.rows<{ endpoint_id: string; event_type: string; body: Buffer }>(
      'select endpoint_id, event_type, body from webhook_deliveries where tenant_id = $1',
      [memory.tenantId],
    );
    expect(rows).toMatchObject([{ endpoint_id: receiver, event_type: 'erasure.completed' }]);
    expect(JSON.parse(rows[0]!.body.toString())).toMatchObject({ data: { agentIds } });
  });

  it('flushes the session when the agent stops', async () => {
    await append('a', [message(), stopped(), message()]);
    expect(await dispatcher().execute()).toMatchObject({ extractionsDue: true });
    const [state] = await database.rows<{ flush: number; due: boolean }>(
      'select flush_through::int as flush, due_at <= now() as due from extraction_states',
    );
    expect(state).toEqual({ flush: 2, due: true });
  });
});

const stopped = (): NewEvent => ({
  eventId: randomUUID(),
  type: 'agent.stopped',
  schemaVersion: 1,
  occurredAt: null,
  data: { agentId: randomUUID(), reason: 'requested' },
});

const uuidOf = (text: string): string => {
  let hash = 0n;
  for (const char of text) hash = (hash * 1_000_003n + BigInt(char.codePointAt(0) ?? 0)) % (1n << 128n);
  const hex = hash.toString(16).padStart(32, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
};
