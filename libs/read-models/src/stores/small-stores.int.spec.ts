import { randomUUID } from 'node:crypto';
import { AgentNameTaken, type Agent } from '@turnkeeper/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReadModelDatabase } from '../testing/read-model-database.js';
import { TypeOrmAgentStore } from './agent-store.js';
import { PgDispatchCursor } from './dispatch-cursor.js';
import { TypeOrmKeyStore } from './key-store.js';
import { TypeOrmMemoryStore } from './memory-store.js';
import { PgParkingLot } from './parking-lot.js';

let database: ReadModelDatabase;
beforeAll(async () => {
  database = await ReadModelDatabase.create();
});
afterAll(() => database?.close());

describe('memories', () => {
  it('are found with their strategies in order, by their tenant alone', async () => {
    const store = new TypeOrmMemoryStore(database.dataSource);
    const { tenantId, memoryId, memory, strategies } = await database.memory({
      strategies: [{ name: 'c' }, { name: 'a', customPrompt: 'Only pets.' }, { name: 'b', automatic: false }],
    });
    expect(await store.find(tenantId, memoryId)).toEqual(memory);
    expect(await store.strategies(tenantId, memoryId)).toEqual(strategies);
    expect(await store.find(randomUUID(), memoryId)).toBeNull();
    expect(await store.strategies(randomUUID(), memoryId)).toEqual([]);
  });

  it('are listed page by page, each once', async () => {
    const store = new TypeOrmMemoryStore(database.dataSource);
    const tenantId = randomUUID();
    const made: string[] = [];
    for (let index = 0; index < 5; index += 1)
      made.push((await database.memory({ tenantId, strategies: [] })).memoryId);
    await database.memory();
    const pages = await Promise.all([0, 2, 4].map((offset) => store.list(tenantId, { offset, limit: 2 })));
    expect(pages.map(({ total, rows }) => [total, rows.length])).toEqual([
      [5, 2],
      [5, 2],
      [5, 1],
    ]);
    expect(pages.flatMap(({ rows }) => rows.map(({ memoryId }) => memoryId)).sort()).toEqual(made.sort());
  });
});

describe('agents', () => {
  const tenantId = randomUUID();
  const agent = (more: Partial<Agent> = {}): Agent => ({
    ...{ agentId: randomUUID(), tenantId, memoryId: randomUUID(), actorId: 'ada', sessionId: 'thread' },
    ...{ name: `agent ${randomUUID()}`, vendor: 'custom', status: 'RUNNING', maxHistory: 32, channel: null },
    ...{ systemMessages: [], params: {}, labels: {}, startedSequence: 1, startedAt: '2026-01-01T00:00:00.000Z' },
    ...{ idleTimeoutSeconds: 0, loadHistory: 0, appId: null, updatedAt: null },
    ...{ stoppedSequence: null, stoppedAt: null, stopReason: null },
    ...more,
  });
  const insert = (one: Agent) =>
    database.unitOfWork.run((tx) => new TypeOrmAgentStore(database.dataSource).insert(tx, one));

  it('are given back as they were, by their tenant alone', async () => {
    const store = new TypeOrmAgentStore(database.dataSource);
    const one = agent({
      labels: { deep: [1, null, { số: '🌊' }] },
      systemMessages: [{ role: 'system', content: 'Hi' }],
    });
    await insert(one);
    expect(await store.find(one.tenantId, one.agentId)).toEqual(one);
    expect(await store.find(randomUUID(), one.agentId)).toBeNull();
  });

  it('have a name of their own while they run', async () => {
    const store = new TypeOrmAgentStore(database.dataSource);
    const first = agent();
    await insert(first);
    await expect(insert(agent({ name: first.name }))).rejects.toBeInstanceOf(AgentNameTaken);
    await insert(agent({ name: first.name, tenantId: randomUUID() }));
    const stopped: Agent = { ...first, status: 'STOPPED', stoppedAt: '2026-01-02T00:00:00.000Z', stoppedSequence: 9 };
    await database.unitOfWork.run((tx) => store.update(tx, stopped));
    expect(await store.find(first.tenantId, first.agentId)).toEqual(stopped);
    await insert(agent({ name: first.name }));
  });

  it('are changed by one transaction at a time', async () => {
    const store = new TypeOrmAgentStore(database.dataSource);
    const one = agent();
    await insert(one);
    const stop = () =>
      database.unitOfWork.run(async (tx) => {
        const found = await store.findForUpdate(tx, one.tenantId, one.agentId);
        if (found?.status === 'STOPPED') return false;
        await store.update(tx, { ...one, status: 'STOPPED' });
        return true;
      });
    const answers = await Promise.all(Array.from({ length: 5 }, stop));
    expect(answers.filter((stopped) => stopped)).toHaveLength(1);
  });
});

describe('keys', () => {
  const key = (tenantId: string, more: Record<string, unknown> = {}) => ({
    ...{ keyId: randomUUID().replaceAll('-', '').slice(0, 16), tenantId, description: 'ci', scopes: ['memory:read'] },
    ...{ secretHash: Buffer.alloc(32, 7), expiresAt: null, revokedAt: null },
    ...more,
  });

  it('are given back as they were', async () => {
    const store = new TypeOrmKeyStore(database.dataSource);
    const tenantId = await store.ensureTenant(randomUUID(), 'acme');
    const given = key(tenantId, { expiresAt: '2027-01-01T00:00:00.000Z', scopes: ['memory:read', 'agents:write'] });
    await store.insert(given);
    const found = await store.find(given.keyId);
    expect(found).toMatchObject({ ...given, secretHash: expect.anything() });
    expect(Buffer.compare(found!.secretHash, given.secretHash)).toBe(0);
    expect(await store.find('0'.repeat(16))).toBeNull();
  });

  it('belong to one tenant of a name, also when two make it at once', async () => {
    const store = new TypeOrmKeyStore(database.dataSource);
    const ids = await Promise.all(Array.from({ length: 8 }, () => store.ensureTenant(randomUUID(), 'globex')));
    expect(new Set(ids).size).toBe(1);
    expect(await store.ensureTenant(randomUUID(), 'initech')).not.toBe(ids[0]);
  });
});

describe('the parking lot', () => {
  it('takes an item once', async () => {
    const lot = new PgParkingLot(database.dataSource);
    const item = {
      source: 'jetstream/S/d',
      itemId: '7',
      code: 'message.unreadable',
      error: 'no',
      payload: '{',
      attempts: 1,
    };
    await lot.park(item);
    await lot.park({ ...item, code: 'delivery.exhausted', attempts: 9 });
    await lot.park({ ...item, source: 'jetstream/S/other' });
    const rows = await database.rows(
      'select source, item_id, code, payload, attempts from parked_items order by source',
    );
    expect(rows).toEqual([
      { source: item.source, item_id: '7', code: item.code, payload: '{', attempts: 1 },
      { source: 'jetstream/S/other', item_id: '7', code: item.code, payload: '{', attempts: 1 },
    ]);
  });
});

describe('the dispatch cursor', () => {
  it('begins before the first event, and moves with its transaction or not at all', async () => {
    const cursor = new PgDispatchCursor(database.dataSource);
    expect(await cursor.position()).toBe(0);
    await database.unitOfWork.run(async (tx) => {
      expect(await cursor.lock(tx)).toBe(0);
      await cursor.advance(tx, 5_000_000_000);
    });
    expect(await cursor.position()).toBe(5_000_000_000);
    const failing = database.unitOfWork.run(async (tx) => {
      await cursor.lock(tx);
      await cursor.advance(tx, 5_000_000_001);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await cursor.position()).toBe(5_000_000_000);
  });
});
