import { randomUUID } from 'node:crypto';
import type { ApiKey, Tenant } from '@turnkeeper/application';
import { AgentNameTaken, type Agent } from '@turnkeeper/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReadModelDatabase } from '../testing/read-model-database.js';
import { TypeOrmAgentStore } from './agents/agent-store.js';
import { PgDispatchCursor } from '../work/dispatch/dispatch-cursor.js';
import { TypeOrmKeyStore } from '../access/key-store.js';
import { TypeOrmTenantStore } from '../access/tenant-store.js';
import { TypeOrmMemoryStore } from './memories/memory-store.js';
import { PgParkingLot } from '../work/parked/parking-lot.js';

let database: ReadModelDatabase;
beforeAll(async () => {
  database = await ReadModelDatabase.create();
});
afterAll(() => database?.close());

describe('memories', () => {
  it('are found with their strategies in order, by their own tenant only', async () => {
    const store = new TypeOrmMemoryStore(database.dataSource);
    const { tenantId, memoryId, memory, strategies } = await database.memory({
      strategies: [
        { name: 'c' },
        {
          name: 'a',
          customPrompt: 'Only pets.',
          outputSchema: { type: 'object', properties: { pet: { type: 'string' } } },
        },
        { name: 'b', automatic: false },
      ],
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
    agentId: randomUUID(),
    tenantId,
    memoryId: randomUUID(),
    actorId: 'ada',
    sessionId: 'thread',
    name: `agent ${randomUUID()}`,
    vendor: 'custom',
    status: 'RUNNING',
    maxHistory: 32,
    channel: null,
    systemMessages: [],
    params: {},
    labels: {},
    startedSequence: 1,
    startedAt: '2026-01-01T00:00:00.000Z',
    idleTimeoutSeconds: 0,
    loadHistory: 0,
    appId: null,
    vendorAgentId: null,
    updatedAt: null,
    stoppedSequence: null,
    stoppedAt: null,
    stopReason: null,
    ...more,
  });
  const insert = (one: Agent) =>
    database.unitOfWork.run((tx) => new TypeOrmAgentStore(database.dataSource).insert(tx, one));

  it('round-trip unchanged, for their own tenant only', async () => {
    const store = new TypeOrmAgentStore(database.dataSource);
    const one = agent({
      labels: { deep: [1, null, { số: '🌊' }] },
      systemMessages: [{ role: 'system', content: 'Hi' }],
    });
    await insert(one);
    expect(await store.find(one.tenantId, one.agentId)).toEqual(one);
    expect(await store.find(randomUUID(), one.agentId)).toBeNull();
  });

  it('have a unique name while they run', async () => {
    const store = new TypeOrmAgentStore(database.dataSource);
    const first = agent();
    await insert(first);
    const { name, memoryId } = first;
    await expect(insert(agent({ name, memoryId }))).rejects.toBeInstanceOf(AgentNameTaken);
    await insert(agent({ name, memoryId, tenantId: randomUUID() }));
    await insert(agent({ name, memoryId: randomUUID() }));
    // A name is unique in a vendor's project, not in its memory.
    const ofApp = agent({ appId: 'app', name });
    await insert(ofApp);
    await expect(insert(agent({ ...ofApp, agentId: randomUUID(), memoryId: randomUUID() }))).rejects.toBeInstanceOf(
      AgentNameTaken,
    );
    const stopped: Agent = { ...first, status: 'STOPPED', stoppedAt: '2026-01-02T00:00:00.000Z', stoppedSequence: 9 };
    await database.unitOfWork.run((tx) => store.update(tx, stopped));
    expect(await store.find(first.tenantId, first.agentId)).toEqual(stopped);
    await insert(agent({ name, memoryId }));
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

describe('tenants and keys', () => {
  const tenant = (name: string): Tenant => ({
    tenantId: randomUUID(),
    name,
    requestsPerSecond: null,
    limits: {},
    createdAt: '2026-01-01T00:00:00.000Z',
  });
  const key = (tenantId: string, more: Partial<ApiKey> = {}): ApiKey => ({
    keyId: randomUUID().replaceAll('-', '').slice(0, 16),
    tenantId,
    description: 'ci',
    scopes: ['memory:read'],
    memoryId: null,
    actorId: null,
    secretHash: Buffer.alloc(32, 7),
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    replacedBy: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    ...more,
  });
  const stores = () => ({
    tenants: new TypeOrmTenantStore(database.dataSource),
    keys: new TypeOrmKeyStore(database.dataSource),
  });

  it('round-trip unchanged', async () => {
    const { tenants, keys } = stores();
    const { tenantId } = await tenants.ensure(tenant('acme'));
    const given = key(tenantId, {
      expiresAt: '2027-01-01T00:00:00.000Z',
      scopes: ['memory:read', 'agents:write'],
      memoryId: randomUUID(),
      actorId: 'ada',
    });
    await keys.insert(given);
    const found = await keys.find(given.keyId);
    expect(found).toMatchObject({ ...given, secretHash: expect.anything() });
    expect(Buffer.compare(found!.secretHash, given.secretHash)).toBe(0);
    expect(await keys.find('0'.repeat(16))).toBeNull();
    expect((await keys.list(tenantId)).map(({ keyId }) => keyId)).toEqual([given.keyId]);
  });

  it('are one tenant per name, even when created concurrently', async () => {
    const { tenants } = stores();
    const made = await Promise.all(Array.from({ length: 8 }, () => tenants.ensure(tenant('globex'))));
    expect(new Set(made.map(({ tenantId }) => tenantId)).size).toBe(1);
    await expect(tenants.insert(tenant('globex'))).rejects.toThrow('A tenant with this name');
    expect((await tenants.ensure(tenant('initech'))).tenantId).not.toBe(made[0]!.tenantId);
    const { tenantId } = made[0]!;
    expect(await tenants.limit(tenantId, { requestsPerSecond: 50 })).toMatchObject({
      requestsPerSecond: 50,
      limits: {},
    });
    const some = { memories: 3, keys: 4 };
    expect(await tenants.limit(tenantId, some)).toMatchObject({ requestsPerSecond: 50, limits: some });
    const without = await tenants.limit(tenantId, { requestsPerSecond: null, memories: null });
    expect(without).toMatchObject({ requestsPerSecond: null, limits: { keys: 4 } });
    expect(await tenants.limit(randomUUID(), { keys: 5 })).toBeNull();
  });

  it('are deleted with the actor that they are restricted to: in its memory, or everywhere', async () => {
    const { tenants, keys } = stores();
    const { tenantId } = await tenants.ensure(tenant('umbrella'));
    const { tenantId: otherTenant } = await tenants.ensure(tenant('wayne'));
    const [here, there] = [randomUUID(), randomUUID()];
    const restricted = (memoryId: string | null, actorId: string | null, more = {}, of = tenantId) =>
      key(of, { memoryId, actorId, ...more });
    const [inHere, inThere, anywhere, ofBob, ofMemory, foreign] = [
      restricted(here, 'ada', { revokedAt: '2026-01-03T00:00:00.000Z' }),
      restricted(there, 'ada'),
      restricted(null, 'ada'),
      restricted(here, 'bob'),
      restricted(here, null),
      restricted(here, 'ada', {}, otherTenant),
    ];
    for (const one of [inHere, inThere, anywhere, ofBob, ofMemory, foreign]) await keys.insert(one!);
    const left = async () => new Set((await keys.list(tenantId)).map(({ keyId }) => keyId));
    const ids = (...some: (ApiKey | undefined)[]) => new Set(some.map((one) => one!.keyId));

    expect(await keys.eraseOfActor(tenantId, 'ada', here)).toEqual({ erased: 1, left: 1 });
    expect(await left()).toEqual(ids(inThere, anywhere, ofBob, ofMemory));
    expect(await keys.eraseOfActor(tenantId, 'ada', null)).toEqual({ erased: 2, left: 0 });
    expect(await left()).toEqual(ids(ofBob, ofMemory));
    expect(await keys.find(foreign!.keyId)).not.toBeNull();
  });

  it('are revoked once by their own tenant, rotated atomically, and track their last use', async () => {
    const { tenants, keys } = stores();
    const { tenantId } = await tenants.ensure(tenant('hooli'));
    const [old, replacement] = [key(tenantId), key(tenantId)];
    await keys.insert(old);
    await expect(keys.replace(old, old.createdAt, { ...old, description: 'twice' })).rejects.toThrow();
    await keys.replace(old, '2026-01-02T00:00:00.000Z', replacement);
    expect(await keys.find(old.keyId)).toMatchObject({
      expiresAt: '2026-01-02T00:00:00.000Z',
      replacedBy: replacement.keyId,
    });
    expect(await keys.revoke(randomUUID(), replacement.keyId, '2026-01-03T00:00:00.000Z')).toBe(false);
    expect(await keys.revoke(tenantId, replacement.keyId, '2026-01-03T00:00:00.000Z')).toBe(true);
    expect(await keys.revoke(tenantId, replacement.keyId, '2026-01-04T00:00:00.000Z')).toBe(true);
    await keys.touch([replacement.keyId, old.keyId]);
    const { lastUsedAt } = (await keys.find(replacement.keyId))!;
    await keys.touch([replacement.keyId]);
    expect((await keys.find(replacement.keyId))!.lastUsedAt).toBe(lastUsedAt);
    expect(await keys.find(replacement.keyId)).toMatchObject({
      revokedAt: '2026-01-03T00:00:00.000Z',
      lastUsedAt: expect.any(String),
    });
  });
});

describe('the parking lot', () => {
  it('accepts an item once', async () => {
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
    await database.rows(`update parked_items set parked_at = now() - interval '40 days'`);
    await database.rows(
      `update parked_items set resolved_at = now() - interval '31 days' where source = 'jetstream/S/other'`,
    );
    expect([await lot.forgetResolved(32, 10), await lot.forgetResolved(30, 10)]).toEqual([false, false]);
    expect(await database.rows('select source from parked_items')).toEqual([{ source: item.source }]);
  });
});

describe('the dispatch cursor', () => {
  it('starts before the first event and moves atomically with its transaction', async () => {
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
