import { randomUUID } from 'node:crypto';
import { CreateMemory, DeleteMemory, DeleteTenant, FinishErasures, InsertRecords } from '@turnkeeper/application';
import { createMemoryBody } from '@turnkeeper/contracts';
import {
  createDataSource,
  createEventStore,
  DatabaseClock,
  EnvelopeCipher,
  migrateDatabase,
  TENANT_TABLES,
} from '@turnkeeper/postgres';
import { createTestDatabase, message, type TestDatabase } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStores, type Stores } from '@turnkeeper/runtime';

/** Tables with rows of a tenant that outlive it, and why. */
const OUTLIVE: Readonly<Record<string, string>> = {
  tenants: 'without its name',
  audit_log: 'for AUDIT_LOG_DAYS',
  events: 'the deletions of its memories',
  tombstones: 'places without content',
  buried_sequences: 'places without content',
  closed_sessions: 'keys without content',
  memory_gates: 'closed memories',
};
/** Deleted with its memories, or with a row of another table. */
const WITH_OTHERS = [
  ...[
    'memories',
    'strategies',
    'records',
    'record_sources',
    'record_vectors',
    'agents',
    'agent_idle_watches',
    'rolling_sessions',
  ],
  ...['extraction_states', 'parked_windows', 'deferred_progress', 'record_deletion_items'],
  ...['graph_threads', 'graph_checkpoints', 'graph_blobs', 'graph_writes', 'graph_items'],
  ...['sessions', 'turn_segments', 'turn_vectors', 'session_activity'],
  ...['usage_changes', 'actor_counts', 'memory_counts', 'total_changes', 'strategy_totals'],
  ...['vendor_agents', 'replaced_instances'],
];

describe('deleting a tenant', () => {
  let database: TestDatabase;
  let stores: Stores;
  let rows: <T>(text: string, values?: unknown[]) => Promise<T[]>;
  const closing: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    database = await createTestDatabase(migrateDatabase);
    const dataSource = createDataSource({ url: database.url, poolSize: 8 });
    await dataSource.initialize();
    const eventStore = createEventStore({ databaseUrl: database.url, readers: 4 });
    closing.push(
      () => eventStore.close(),
      () => dataSource.destroy(),
    );
    const cipher = new EnvelopeCipher({ keys: [], sealing: false });
    stores = createStores({ dataSource, cipher, eventStore, clock: await DatabaseClock.start(dataSource) });
    rows = (text, values) => dataSource.query(text, values);
  });
  afterAll(async () => {
    for (const close of closing) await close();
    await database.drop();
  });

  const deleteTenant = (tenantErasure = stores.tenantErasure) =>
    new DeleteTenant({
      ...stores,
      tenantErasure,
      deleteMemory: new DeleteMemory(stores),
      keysForgotten: async () => undefined,
    });
  const at = '2026-01-01T00:00:00.000Z';
  /** A tenant with a key, a conversation, a record, an endpoint with a delivery, a vendor app and a stored answer. */
  const given = async () => {
    const tenantId = randomUUID();
    const name = `tenant ${tenantId}`;
    await stores.tenants.insert({ tenantId, name, requestsPerSecond: 5, limits: { keys: 3 }, createdAt: at });
    await stores.keys.insert({
      keyId: randomUUID(),
      tenantId,
      description: 'a key',
      secretHash: new Uint8Array(32),
      scopes: ['memory:read'],
      memoryId: null,
      actorId: null,
      createdAt: at,
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
      replacedBy: null,
    });
    const body = createMemoryBody.parse({
      name: 'one',
      longTermMemoryStrategies: [{ name: 'facts', type: 'SEMANTIC' }],
    });
    const { memoryId } = (await new CreateMemory(stores).execute(tenantId, body)).memory;
    const scope = { tenantId, memoryId, actorId: 'ada', sessionId: 'monday' };
    await stores.eventStore.append({ ...scope, events: [message(), message()] });
    await new InsertRecords(stores).execute(tenantId, memoryId, [
      { text: 'A fact.', namespace: '/n', strategyId: null },
    ]);
    const endpointId = randomUUID();
    await stores.endpoints.insert({
      endpointId,
      tenantId,
      url: 'https://example.com',
      description: '',
      events: null,
      format: 'standard',
      secrets: [],
      status: 'active',
      createdAt: at,
    });
    await rows(
      `insert into webhook_deliveries (delivery_id, tenant_id, endpoint_id, event_type, cause_event_id, message_id)
       values (gen_random_uuid(), $1, $2, 'agent.started', gen_random_uuid(), 'm')`,
      [tenantId, endpointId],
    );
    const app = { tenantId, vendor: 'agora', appId: tenantId, memoryId, secret: null, createdAt: at };
    await stores.vendorApps.put(app);
    await stores.vendorAgents.add(app, { agentId: 'a', name: 'a', llm: {} });
    await stores.firstAnswers.begin({ tenantId, route: 'createKey', key: 'k', fingerprint: 'f', memoryId: null });
    return { tenantId, name };
  };
  /** Tables that hold rows of the tenant. */
  const tablesOf = async (tenantId: string): Promise<string[]> => {
    const found: string[] = [];
    for (const table of await tenantTables()) {
      const [row] = await rows<{ n: number }>(`select count(*)::int as n from ${table} where tenant_id = $1`, [
        tenantId,
      ]);
      if (row!.n > 0) found.push(table);
    }
    return found;
  };
  const tenantTables = async () =>
    (
      await rows<{ name: string }>(
        `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
          where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and not a.attisdropped order by 1`,
      )
    ).map(({ name }) => name);
  /** As the worker does. */
  const purge = async () => {
    await new FinishErasures({ ...stores, tombstoneDays: 30 }).execute();
    await rows('select index_activity(100000)');
    const folded = async () => (await rows<{ n: number }>('select fold_totals(null, 1000)::int as n'))[0]!.n;
    while ((await folded()) > 0);
  };

  it('is defined for every table with rows of tenants', async () => {
    const decided = [...TENANT_TABLES, ...WITH_OTHERS, ...Object.keys(OUTLIVE), 'api_keys'];
    expect((await tenantTables()).filter((table) => !decided.includes(table))).toEqual([]);
  });

  it('leaves nothing of it but what proves the deletion, and counts what was deleted', async () => {
    const { tenantId, name } = await given();
    const other = await given();
    await purge();
    const before = await tablesOf(other.tenantId);
    const { memories, keys, outcome } = await deleteTenant().execute(tenantId);
    expect([memories, keys]).toEqual([1, 1]);
    expect(outcome.erased).toMatchObject({ sessions: 1, events: 2, records: 1, webhookDeliveries: 1 });
    expect(await stores.tenants.find(tenantId)).toBeNull();
    expect(await stores.keys.list(tenantId)).toEqual([]);
    expect((await stores.memories.list(tenantId, { offset: 0, limit: 10 })).total).toBe(0);
    await purge();
    expect((await tablesOf(tenantId)).filter((table) => !(table in OUTLIVE))).toEqual([]);
    expect(await rows('select distinct type from events where tenant_id = $1', [tenantId])).toEqual([
      { type: 'memory.deleted' },
    ]);
    expect(await tablesOf(other.tenantId)).toEqual(before);
    expect(await stores.tenants.findByName(other.name)).not.toBeNull();
    // The name can be used again.
    const again = { tenantId: randomUUID(), name, requestsPerSecond: null, limits: {}, createdAt: at };
    await expect(stores.tenants.insert(again)).resolves.toBeUndefined();
  });

  it('can be repeated, and finishes what an interrupted call left', async () => {
    const { tenantId } = await given();
    const failing: Stores['tenantErasure'] = Object.create(stores.tenantErasure, {
      eraseRows: { value: () => Promise.reject(new Error('killed')) },
    });
    await expect(deleteTenant(failing).execute(tenantId)).rejects.toThrow('killed');
    expect(await tablesOf(tenantId)).toContain('webhook_endpoints');
    const second = await deleteTenant().execute(tenantId);
    expect(second).toMatchObject({ memories: 0, outcome: { erased: { webhookDeliveries: 1 } } });
    expect(await tablesOf(tenantId)).not.toContain('webhook_endpoints');
    const third = await deleteTenant().execute(tenantId);
    expect(Object.values(third.outcome.erased).every((count) => count === 0)).toBe(true);
    await expect(deleteTenant().execute(randomUUID())).rejects.toMatchObject({ code: 'tenant.not_found' });
  });
});
