import { randomUUID } from 'node:crypto';
import { VendorAppTaken } from '@turnkeeper/application';
import { newSecret } from '@turnkeeper/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PgConnectorStore } from '../work/connectors/connector-store.js';
import { PgIdempotentRequests } from '../access/idempotent-requests.js';
import { PgDeliveryStore } from '../work/deliveries/delivery-store.js';
import { settleSigningKeys, signingKey } from '../access/signing-keys.js';
import { PgVendorAppStore } from '../access/vendor-app-store.js';
import { PgWebhookEndpointStore } from '../work/deliveries/webhook-endpoint-store.js';
import { ReadModelDatabase } from '../testing/read-model-database.js';
import { cipherWith, testCipher, testKey } from '../testing/test-cipher.js';
import { EnvelopeCipher } from './envelope-cipher.js';
import { sealStoredSecrets } from './seal-stored-secrets.js';
import { SecretUnreadable, type SecretCipher } from './secret-cipher.js';

const MARK = 'MARKED-s3cret';
const AT = '2026-01-01T00:00:00.000Z';
const TABLES = ['webhook_endpoints', 'connectors', 'vendor_apps', 'signing_keys'];
/** Written once. */
const ALL_TABLES = [...TABLES, 'idempotent_requests'];
const plain = new EnvelopeCipher({ keys: [testKey('a')], sealing: false });
const secret = (name: string) => newSecret(`${MARK}-${name}`, new Date(AT));

describe('secrets at rest', () => {
  let database: ReadModelDatabase;
  const tenantId = randomUUID();
  beforeAll(async () => {
    database = await ReadModelDatabase.create();
  });
  afterAll(() => database?.close());
  beforeEach(async () => {
    await database.rows('truncate webhook_endpoints, connectors, vendor_apps, idempotent_requests cascade');
    await database.rows(`update signing_keys set key = '${MARK}-' || name`);
  });

  const endpointsWith = (cipher: SecretCipher) => new PgWebhookEndpointStore(database.dataSource, cipher);
  const connectorsWith = (cipher: SecretCipher) => new PgConnectorStore(database.dataSource, cipher);
  const appsWith = (cipher: SecretCipher) => new PgVendorAppStore(database.dataSource, cipher);
  const addEndpoint = async (cipher: SecretCipher, name = 'endpoint', tenant = tenantId) => {
    const endpoint = {
      endpointId: randomUUID(),
      tenantId: tenant,
      url: 'https://example.com',
      description: '',
      events: null,
      ...({ format: 'standard', secrets: [secret(name)], status: 'active', createdAt: AT } as const),
    };
    await endpointsWith(cipher).insert(endpoint);
    return endpoint;
  };
  const addConnector = async (cipher: SecretCipher) => {
    const connector = {
      connectorId: randomUUID(),
      tenantId,
      memoryId: randomUUID(),
      vendor: 'zegocloud' as const,
      description: '',
      places: {} as never,
      secrets: [secret('connector')],
      createdAt: AT,
    };
    await connectorsWith(cipher).insert(connector);
    return connector;
  };
  const app = (name = 'app', tenant = tenantId) => ({
    tenantId: tenant,
    vendor: 'zegocloud' as const,
    appId: '7',
    memoryId: randomUUID(),
    secret: `${MARK}-${name}`,
    createdAt: AT,
  });
  const addDelivery = async (endpointId: string) => {
    const deliveryId = randomUUID();
    await database.rows(
      `insert into webhook_deliveries (delivery_id, tenant_id, endpoint_id, event_type, cause_event_id, message_id, body, due_at)
       values ($1, $2, $3, 'memory.deleted', gen_random_uuid(), 'msg_1', '{}', now())`,
      [deliveryId, tenantId, endpointId],
    );
    return deliveryId;
  };
  /** Rows of each table that contain a readable secret. */
  const readable = async (): Promise<string[]> => {
    const found = await Promise.all(
      ALL_TABLES.map((table) => database.rows<{ text: string }>(`select row_to_json(t)::text as text from ${table} t`)),
    );
    return ALL_TABLES.flatMap((table, index) =>
      found[index]!.filter(({ text }) => text.includes(MARK)).map(() => table),
    );
  };
  const answer = async (cipher: SecretCipher) => {
    const requests = new PgIdempotentRequests(database.dataSource, cipher);
    const request = { tenantId, route: 'createKey', key: 'one', fingerprint: 'body', memoryId: null };
    const begun = await requests.begin(request);
    if (begun.kind === 'first') await requests.answer(tenantId, begun.requestId, JSON.stringify(MARK), null);
  };
  const fill = async (cipher: SecretCipher) => {
    const endpoint = await addEndpoint(cipher);
    const connector = await addConnector(cipher);
    await appsWith(cipher).put(app());
    return { endpoint, connector };
  };

  it('are unreadable in every table and are returned unchanged', async () => {
    const { endpoint, connector } = await fill(testCipher);
    await settleSigningKeys(database.dataSource, testCipher);
    expect(await readable()).toEqual([]);
    expect(await endpointsWith(testCipher).find(tenantId, endpoint.endpointId)).toEqual(endpoint);
    expect(await connectorsWith(testCipher).findByPath('zegocloud', connector.connectorId)).toEqual(connector);
    expect(await connectorsWith(testCipher).find(tenantId, connector.connectorId)).toEqual(connector);
    expect(await appsWith(testCipher).find(tenantId, 'zegocloud', '7')).toMatchObject({ secret: `${MARK}-app` });
    expect(await appsWith(testCipher).candidates('zegocloud', '7')).toMatchObject([{ secret: `${MARK}-app` }]);
    const key = signingKey(database.dataSource, testCipher, 'history_links', undefined);
    expect(await key()).toBe(`${MARK}-history_links`);
    const claimed = await new PgDeliveryStore(database.dataSource, testCipher).claim(
      await addDelivery(endpoint.endpointId),
      30,
    );
    expect(claimed).toMatchObject({ endpoint: { secrets: endpoint.secrets }, secretsProblem: null });
  });

  it('stored as plain text are encrypted by the next update', async () => {
    const { endpoint, connector } = await fill(plain);
    expect(await readable()).toEqual(expect.arrayContaining(TABLES));
    await endpointsWith(testCipher).change(tenantId, endpoint.endpointId, (now) => {
      expect(now).toEqual(endpoint);
      return { ...now, description: 'new' };
    });
    await connectorsWith(testCipher).change(tenantId, connector.connectorId, (now) => ({ ...now, description: 'new' }));
    await appsWith(testCipher).put(app());
    await settleSigningKeys(database.dataSource, testCipher);
    expect(await readable()).toEqual([]);
    expect((await endpointsWith(testCipher).find(tenantId, endpoint.endpointId))?.secrets).toEqual(endpoint.secrets);
  });

  it('are rewritten in one run: from plain text, under a new key, and back', async () => {
    const { endpoint } = await fill(plain);
    await answer(plain);
    const counts = async (cipher: SecretCipher) =>
      (await sealStoredSecrets(database.dataSource, cipher)).map(({ rewritten, unchanged, unreadable }) => [
        ...[rewritten, unchanged, unreadable],
      ]);
    const all = [1, 1, 1, 1, 2];
    const every = (place: number) => all.map((count) => [0, 0, 0].with(place, count));
    expect(await counts(testCipher)).toEqual(every(0));
    expect(await readable()).toEqual([]);
    expect(await counts(testCipher)).toEqual(every(1));
    expect(await counts(cipherWith('b', 'a'))).toEqual(every(0));
    expect(await counts(testCipher)).toEqual(every(2));
    await settleSigningKeys(database.dataSource, cipherWith('b'));
    expect((await endpointsWith(cipherWith('b')).find(tenantId, endpoint.endpointId))?.secrets).toEqual(
      endpoint.secrets,
    );
    const back = new EnvelopeCipher({ keys: [testKey('b')], sealing: false });
    expect(await counts(back)).toEqual(every(0));
    expect(await readable()).toHaveLength(6);
  });

  it('swapped between rows are not used', async () => {
    const one = await addEndpoint(testCipher, 'one');
    const two = await addEndpoint(testCipher, 'two');
    await database.rows(
      `update webhook_endpoints e set secrets = o.secrets from webhook_endpoints o where o.endpoint_id <> e.endpoint_id`,
    );
    for (const { endpointId } of [one, two]) {
      await expect(endpointsWith(testCipher).find(tenantId, endpointId)).rejects.toBeInstanceOf(SecretUnreadable);
    }
  });

  it('under a missing key block only what needs them', async () => {
    const lost = await addEndpoint(cipherWith('z'), 'lost');
    const good = await addEndpoint(testCipher, 'good');
    const store = new PgDeliveryStore(database.dataSource, testCipher);
    expect(await store.claim(await addDelivery(lost.endpointId), 30)).toMatchObject({
      endpoint: { secrets: [] },
      secretsProblem: expect.stringContaining('SECRETS_OLD_KEYS'),
    });
    expect(await store.claim(await addDelivery(good.endpointId), 30)).toMatchObject({ secretsProblem: null });
    expect(await endpointsWith(testCipher).list(tenantId)).toHaveLength(2);
    const told = await database.unitOfWork.run((tx) => endpointsWith(testCipher).listening(tx, tenantId));
    expect(told).toHaveLength(2);
    await expect(endpointsWith(testCipher).find(tenantId, lost.endpointId)).rejects.toBeInstanceOf(SecretUnreadable);
    expect(await endpointsWith(testCipher).delete(tenantId, lost.endpointId)).toBe(true);
  });

  it('of the installation stop a process with a different key', async () => {
    await settleSigningKeys(database.dataSource, testCipher);
    await expect(settleSigningKeys(database.dataSource, cipherWith('z'))).rejects.toThrow('SECRETS_OLD_KEYS');
    await expect(settleSigningKeys(database.dataSource, cipherWith('z', 'a'))).resolves.toBeUndefined();
  });

  describe('of vendor apps', () => {
    it.each([
      ['encrypted', testCipher, testCipher],
      ['plain text', plain, plain],
      ['plain text and encrypted', plain, testCipher],
      ['under two keys', testCipher, cipherWith('b', 'a')],
    ])('belong to one tenant: %s', async (_, first, second) => {
      await appsWith(first).put(app());
      await expect(appsWith(second).put(app('app', randomUUID()))).rejects.toBeInstanceOf(VendorAppTaken);
      await expect(appsWith(second).put(app())).resolves.toBe(true);
      await expect(appsWith(second).put(app('other', randomUUID()))).resolves.toBe(true);
    });

    it('belong to one tenant under concurrent registrations', async () => {
      const apps = Array.from({ length: 8 }, () => app('app', randomUUID()));
      const ends = await Promise.allSettled(apps.map((each) => appsWith(testCipher).put(each)));
      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    it('under a missing key do not block the others', async () => {
      await appsWith(cipherWith('z')).put(app('lost'));
      await expect(appsWith(testCipher).candidates('zegocloud', '7')).rejects.toBeInstanceOf(SecretUnreadable);
      await appsWith(testCipher).put(app('good', randomUUID()));
      expect(await appsWith(testCipher).candidates('zegocloud', '7')).toMatchObject([{ secret: `${MARK}-good` }]);
    });
  });
});
