import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SecretCipher } from '../secrets/secret-cipher.js';
import { ReadModelDatabase } from '../testing/read-model-database.js';
import { PgVendorAgentStore } from './vendor-agent-store.js';
import { PgVendorAppStore } from './vendor-app-store.js';

describe('PgVendorAgentStore', () => {
  let database: ReadModelDatabase;
  let store: PgVendorAgentStore;
  let apps: PgVendorAppStore;
  let app: Awaited<ReturnType<typeof newApp>>;

  beforeAll(async () => {
    database = await ReadModelDatabase.create();
    store = new PgVendorAgentStore(database.dataSource);
    // Its apps have no secrets.
    apps = new PgVendorAppStore(database.dataSource, {} as SecretCipher);
  });
  afterAll(() => database?.close());
  beforeEach(async () => {
    app = await newApp(randomUUID());
  });
  const newApp = async (tenantId: string, appId = '42') => {
    const made = {
      tenantId,
      vendor: 'v',
      appId,
      memoryId: randomUUID(),
      secret: null,
      createdAt: '2026-01-01T00:00:00Z',
    };
    await apps.put(made);
    return made;
  };
  const guide = { agentId: 'guide', name: 'Guide', llm: { Model: 'm', Params: { z: 1, a: [-0.5, null] } } };

  it('keeps a profile unchanged, and adds it once', async () => {
    expect(await store.add(app, guide)).toBe('added');
    expect(await store.add(app, { ...guide, name: 'Another' })).toBe('exists');
    expect(await store.find(app, ['guide', 'unknown'])).toEqual([guide]);
  });

  it("adds no more than the tenant's maximum over all apps, and still recognizes a repeat", async () => {
    const other = await newApp(app.tenantId, '43');
    expect(await store.add(app, guide, 1)).toBe('added');
    expect(await store.add(other, guide, 1)).toBe('full');
    expect(await store.add(app, guide, 1)).toBe('exists');
    expect(await store.find(other, ['guide'])).toEqual([]);
    expect(await store.add(other, guide, 2)).toBe('added');
  });

  it('replaces only the fields that are given', async () => {
    await store.add(app, guide);
    expect(await store.change(app, 'guide', { name: 'New' })).toBe(true);
    expect(await store.change(app, 'guide', {})).toBe(true);
    expect(await store.find(app, ['guide'])).toEqual([{ ...guide, name: 'New' }]);
    await store.change(app, 'guide', { llm: { Model: 'n' } });
    expect(await store.find(app, ['guide'])).toEqual([{ agentId: 'guide', name: 'New', llm: { Model: 'n' } }]);
    expect(await store.change(app, 'unknown', { name: 'New' })).toBe(false);
  });

  it('lists pages by id, with the total also beyond the end', async () => {
    for (const agentId of ['b', 'B', 'a', 'ß']) await store.add(app, { ...guide, agentId });
    const ids = async (after: string, limit: number) => {
      const { total, agents } = await store.list(app, { after, limit });
      return [total, ...agents.map(({ agentId }) => agentId)];
    };
    expect(await ids('', 3)).toEqual([4, 'B', 'a', 'b']);
    expect(await ids('b', 3)).toEqual([4, 'ß']);
    expect(await ids('ß', 3)).toEqual([4]);
  });

  it("sees only the app's own profiles, and deletes them with the app", async () => {
    const others = [await newApp(randomUUID()), await newApp(app.tenantId, '43')];
    for (const other of others) await store.add(other, guide);
    expect(await store.list(app, { after: '', limit: 10 })).toEqual({ total: 0, agents: [] });
    expect([await store.find(app, ['guide']), await store.remove(app, 'guide')]).toEqual([[], false]);
    expect(await store.change(app, 'guide', { name: 'Stolen' })).toBe(false);
    await store.add(app, guide);
    await apps.put({ ...app, memoryId: randomUUID() });
    expect(await store.remove(app, 'guide')).toBe(true);
    await store.add(app, guide);
    await apps.remove(app.tenantId, app.vendor, app.appId);
    await apps.put(app);
    expect(await store.find(app, ['guide'])).toEqual([]);
    expect(await store.find(others[1]!, ['guide'])).toEqual([guide]);
  });
});
