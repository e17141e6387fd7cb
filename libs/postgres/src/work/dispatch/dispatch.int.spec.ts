import { randomUUID } from 'node:crypto';
import type { UnitOfWork } from '@turnkeeper/application';
import { newSecret } from '@turnkeeper/domain';
import { creation, InMemoryEventStore, message } from '@turnkeeper/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DispatchWork, stopped } from '../../testing/dispatch-work.js';

describe('event dispatch', () => {
  let work: DispatchWork;
  beforeAll(async () => {
    work = await DispatchWork.create();
  });
  afterAll(() => work?.close());
  beforeEach(() => work.empty());

  it('counts every event once, whatever the number of dispatchers and runs', async () => {
    await work.append('a', [message()]);
    await work.append('b', [message()]);
    const dispatchers = Array.from({ length: 4 }, () => work.dispatcher());
    const counts: number[] = [];
    const run = async (): Promise<void> => {
      counts.push(...(await Promise.all(dispatchers.map(async (one) => (await one.execute()).events))));
    };
    for (let round = 0; round < 5; round += 1) {
      const running = run();
      await work.append(
        'a',
        Array.from({ length: 130 }, () => message()),
      );
      await work.append(
        'b',
        Array.from({ length: 170 }, () => message()),
      );
      await Promise.all([running, run()]);
    }
    await run();
    const total = 3 + 5 * 300; // including the memory itself
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(total);
    expect(await work.counted()).toEqual([
      [651, 651],
      [851, 851],
    ]);
    expect(await work.position()).toBe(total);
  });

  it('is atomic: after a failure, the next run processes everything', async () => {
    await work.append('a', [message(), message()]);
    const broken = new Error('connection lost');
    const breaking: UnitOfWork = {
      run: (steps) =>
        work.database.unitOfWork.run(async (tx) => {
          await steps(tx);
          throw broken;
        }),
      runFor: (_, steps) => breaking.run(steps),
      append: () => Promise.reject(broken),
      appendFor: () => Promise.reject(broken),
    };
    await expect(work.dispatcher(breaking).execute()).rejects.toBe(broken);
    expect([await work.counted(), await work.position()]).toEqual([[], 0]);
    expect(await work.dispatcher().execute()).toEqual({
      events: 3,
      turns: 2,
      extractionsDue: false,
      deliveriesDue: false,
    });
    expect(await work.counted()).toEqual([[2, 2]]);
    expect(await work.dispatcher().execute()).toEqual({
      events: 0,
      turns: 0,
      extractionsDue: false,
      deliveriesDue: false,
    });
  });

  it('plans one delivery per stop and endpoint, with a deterministic id', async () => {
    const endpoints = work.endpoints;
    const endpoint = (tenantId: string, format: 'standard' | 'agora') => ({
      endpointId: randomUUID(),
      tenantId,
      url: 'https://example.com',
      description: '',
      format,
      events: ['agent.history'] as const,
      secrets: [newSecret('s', new Date())],
      status: 'active' as const,
      createdAt: new Date().toISOString(),
    });
    const mine = [endpoint(work.memory.tenantId, 'standard'), endpoint(work.memory.tenantId, 'agora')];
    for (const one of [...mine, endpoint(randomUUID(), 'standard')]) await endpoints.insert(one);
    await work.append('a', [message(), stopped()]);
    const runs = await Promise.all([work.dispatcher().execute(), work.dispatcher().execute()]);
    expect(runs.map(({ deliveriesDue }) => deliveriesDue).sort()).toEqual([false, true]);
    const planned = () =>
      work.database.rows<{ endpoint_id: string; message_id: string }>(
        'select endpoint_id, message_id from webhook_deliveries order by message_id',
      );
    const first = await planned();
    expect(first.map(({ endpoint_id }) => endpoint_id).sort()).toEqual(mine.map(({ endpointId }) => endpointId).sort());

    await work.database.rows('update dispatch_cursor set position = 0'); // as if never dispatched
    await work.dispatcher().execute();
    expect(await planned()).toEqual(first);
  });

  it.each([
    ['a session', `delete from sessions where session_id = 'a'`, ['agent.history', 'agent.stopped']],
    ['the memory', 'update memory_gates set is_open = false', []],
  ])('plans no delivery of %s that was deleted after its events were read', async (_, deletion, left) => {
    await work.endpoints.insert({
      endpointId: randomUUID(),
      tenantId: work.memory.tenantId,
      url: 'https://example.com',
      description: '',
      format: 'standard',
      events: null,
      secrets: [newSecret('s', new Date())],
      status: 'active',
      createdAt: new Date().toISOString(),
    });
    for (const sessionId of ['a', 'b']) await work.append(sessionId, [message(), stopped()]);
    const { unitOfWork } = work.database;
    const deleting: UnitOfWork = {
      run: async (steps) => {
        await work.database.rows(deletion);
        return unitOfWork.run(steps);
      },
      runFor: (tenantId, steps) => unitOfWork.runFor(tenantId, steps),
      append: (steps) => unitOfWork.append(steps),
      appendFor: (tenantId, steps) => unitOfWork.appendFor(tenantId, steps),
    };
    await work.dispatcher(deleting).execute();
    const planned = await work.database.rows<{ type: string }>(
      `select event_type as type from webhook_deliveries order by event_type`,
    );
    expect(planned.map(({ type }) => type)).toEqual(left);
    expect(await work.position()).toBe(5);
  });

  describe('with a locked row', () => {
    /** Runs work while a separate transaction holds the lock. */
    const whileLocked = async (lock: string, steps: () => Promise<void>) => {
      await work.database.dataSource.transaction(async (manager) => {
        expect(await manager.query(lock)).not.toEqual([]);
        await steps();
      });
    };

    it.each([
      ['its session, as an erasure has it', `select 1 from sessions where session_id = 'a' for update`],
      ['its state, as a commit has it', `select 1 from extraction_states where session_id = 'a' for update`],
    ])('defers one session and dispatches the others: %s', async (_, lock) => {
      await work.append('a', [message()]);
      await work.append('b', [message()]);
      await work.dispatcher().execute();
      await whileLocked(lock, async () => {
        await work.append('a', [message()]);
        await work.append('b', [message()]);
        expect(await work.dispatcher().execute()).toMatchObject({ events: 2 });
        expect(await work.counted()).toEqual([
          [1, 1],
          [2, 2],
        ]);
        // Later events of the same session stay behind it, in log order.
        await work.append('a', [message(), stopped()]);
        expect(await work.dispatcher().execute()).toMatchObject({ events: 2, extractionsDue: false });
        expect(await work.position()).toBe(7);
      });
      expect(await work.dispatcher().execute()).toMatchObject({ events: 0, extractionsDue: true });
      expect(await work.counted()).toEqual([
        [3, 4],
        [2, 2],
      ]);
      expect(await work.database.rows('select 1 from deferred_progress')).toEqual([]);
    });

    it('does not defer a session of a memory in which nothing is extracted automatically', async () => {
      await work.database.rows('update strategies set automatic = false');
      await work.append('a', [message()]);
      await whileLocked(`select 1 from sessions where session_id = 'a' for update`, async () => {
        await work.dispatcher().execute();
      });
      expect(await work.database.rows('select 1 from deferred_progress')).toEqual([]);
    });

    it('drops the deferred events of an erased session', async () => {
      await work.append('a', [message()]);
      await whileLocked(`select 1 from sessions where session_id = 'a' for update`, async () => {
        await work.dispatcher().execute();
      });
      await work.database.rows(`delete from sessions`);
      await work.dispatcher().execute();
      expect(await work.database.rows('select 1 from deferred_progress')).toEqual([]);
      expect(await work.counted()).toEqual([]);
    });

    it('waits at most a few seconds for a frozen process that holds the cursor', async () => {
      await work.append('a', [message()]);
      await work.dispatcher().execute();
      let isLocked: () => void = () => undefined;
      const locked = new Promise<void>((resolve) => (isLocked = resolve));
      let thaw: () => void = () => undefined;
      const thawed = new Promise<void>((resolve) => (thaw = resolve));
      const cursor = work.cursor;
      const frozen = work.database.unitOfWork.run(async (tx) => {
        const before = await cursor.lock(tx);
        isLocked();
        await thawed;
        await cursor.advance(tx, before);
      });
      frozen.catch(() => undefined);
      await locked;
      await work.append('a', [message()]);
      const startedAt = performance.now();
      expect(await work.dispatcher().execute()).toMatchObject({ events: 1 });
      expect(performance.now() - startedAt).toBeLessThan(5_000);
      thaw();
      // Its transaction is gone; at most it restarts from the current cursor.
      await frozen.catch(() => undefined);
      expect(await work.dispatcher().execute()).toMatchObject({ events: 0 });
      expect(await work.counted()).toEqual([[2, 2]]);
    });
  });

  it('holds no transaction open while reading, however long that takes', async () => {
    await work.append('a', [message(), message()]);
    const slow = Object.create(work.log, {
      readOutline: {
        value: async (after: number, limit: number) => {
          // Longer than the idle limit of a transaction that holds the cursor.
          await new Promise((resolve) => setTimeout(resolve, 2_500));
          return work.log.readOutline(after, limit);
        },
      },
    }) as InMemoryEventStore;
    expect(await work.dispatcher(work.database.unitOfWork, { eventStore: slow }).execute()).toMatchObject({
      events: 3,
    });
    expect(await work.counted()).toEqual([[2, 2]]);
  });

  it('skips events that are no longer readable', async () => {
    const now = { ms: Date.now() };
    work.log = new InMemoryEventStore(() => new Date(now.ms));
    await work.log.append(creation(work.memory.tenantId, work.memory.memoryId, 1));
    await work.append('a', [message(), message()]);
    now.ms += 2 * 86_400_000;
    expect(await work.dispatcher().execute()).toMatchObject({ events: 1 }); // work.memory.created does not expire
    expect(await work.position()).toBe(3);
  });

  it('notifies each receiver of an erased actor’s histories once, and no other endpoint', async () => {
    const [receiver, deaf, other] = [randomUUID(), randomUUID(), randomUUID()];
    for (const [endpointId, events] of [
      [receiver, ['erasure.completed']],
      [deaf, ['agent.history']],
      [other, ['erasure.completed']],
    ] as const) {
      await work.database.rows(
        `insert into webhook_endpoints (endpoint_id, tenant_id, url, description, events, format, secrets, status)
         values ($1, $2, 'http://127.0.0.1:9', '', $3, 'standard', '[]', 'active')`,
        [endpointId, work.memory.tenantId, events],
      );
    }
    const agentIds = [randomUUID()];
    await work.log.append({
      tenantId: work.memory.tenantId,
      memoryId: work.memory.memoryId,
      actorId: null,
      sessionId: null,
      events: [
        {
          eventId: randomUUID(),
          type: 'content.erased',
          schemaVersion: 1,
          occurredAt: null,
          data: {
            target: 'actor',
            sessionKeys: [],
            position: null,
            withdrawnRecords: 0,
            agentIds,
            receivers: [receiver, deaf],
          },
        },
      ],
    });
    await work.dispatcher().execute();
    await work.database.rows('update dispatch_cursor set position = 0');
    await work.dispatcher().execute();
    const rows = await work.database.rows<{ endpoint_id: string; event_type: string; body: Buffer }>(
      'select endpoint_id, event_type, body from webhook_deliveries where tenant_id = $1',
      [work.memory.tenantId],
    );
    expect(rows).toMatchObject([{ endpoint_id: receiver, event_type: 'erasure.completed' }]);
    expect(JSON.parse(rows[0]!.body.toString())).toMatchObject({ data: { agentIds } });
  });

  it('flushes the session when the agent stops', async () => {
    await work.append('a', [message(), stopped(), message()]);
    expect(await work.dispatcher().execute()).toMatchObject({ extractionsDue: true });
    const [state] = await work.database.rows<{ flush: number; due: boolean }>(
      'select flush_through::int as flush, due_at <= now() as due from extraction_states',
    );
    expect(state).toEqual({ flush: 2, due: true });
  });
});
