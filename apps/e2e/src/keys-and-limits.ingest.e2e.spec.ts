import { userInfo } from 'node:os';
import { APPLICATION_SCOPES, SCOPES } from '@turnkeeper/contracts';
import { eventually } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListView, Problem } from './harness/answers.js';
import { eventsPath, turn, type Api } from './harness/api.js';
import { cliOutput, runCli } from './harness/child-process.js';
import { plant } from './harness/planted-markers.js';
import { zegoQuery } from './harness/vendors.js';
import { startService, type Service } from './harness/service.js';
import { Stack } from './harness/stack.js';
import { drawIssuerKey, startTokenIssuer, tokenOf, type IssuerKey, type TokenIssuer } from './harness/token-issuer.js';
import { tracesInTables } from './harness/traces.js';

const HOUR_MS = 3_600_000;
const ZEGO_APP = { id: 4_711, secret: 'server-secret' };

interface Key {
  readonly id: string;
  readonly scopes: readonly string[];
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
  readonly replacedBy: string | null;
}
type MadeKey = Key & { readonly apiKey: string };

// Most of the time is waiting for caches, so these tests wait in parallel.
describe('authentication and limits', () => {
  let stack: Stack;
  let issuer: TokenIssuer;
  let operator: Api;
  beforeAll(async () => {
    issuer = await startTokenIssuer();
    stack = await Stack.start({
      worker: false,
      settings: { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: issuer.audience, OIDC_CLIENT_ID: 'console' },
    });
    operator = stack.apiOf(stack.ingests[0]!, await stack.createKey({ tenant: 'operators', scopes: SCOPES }));
  });
  afterAll(async () => {
    await stack.stop();
    await issuer.close();
  });

  let names = 0;
  const newTenant = async (more: object = {}): Promise<{ id: string; name: string }> => {
    const name = `tenant-${(names += 1)}`;
    const { status, body } = await operator.request<{ id: string; name: string }>('POST', '/v1/admin/tenants', {
      body: { name, ...more },
    });
    expect(status).toBe(201);
    return body;
  };
  /** Created through the API: the command line takes seconds on a busy machine. */
  const keyOf = async ({ id }: { readonly id: string }): Promise<string> => {
    const made = await operator.request<MadeKey>('POST', `/v1/admin/tenants/${id}/keys`, {
      body: { scopes: APPLICATION_SCOPES },
    });
    expect(made.status).toBe(201);
    plant(made.body.apiKey);
    return made.body.apiKey;
  };
  const as = (apiKey: string): Api => stack.apiOf(stack.ingests[0]!, apiKey);
  const reads = async (credential: string): Promise<number> =>
    (await as(credential).request('GET', '/memory/memories')).status;
  const writes = (credential: string) =>
    as(credential).request<Problem>('POST', '/memory/memories', { body: { name: 'a' } });
  /** A cached key stays valid for two more seconds. */
  const untilRefused = (credential: string) => eventually(async () => (await reads(credential)) === 401);

  describe.concurrent('an API key of the admin API', () => {
    const keysOf = (tenantId: string) => `/v1/admin/tenants/${tenantId}/keys`;
    const make = async (tenantId: string, body: object = {}): Promise<MadeKey> => {
      const answer = await operator.request<MadeKey>('POST', keysOf(tenantId), {
        body: { scopes: APPLICATION_SCOPES, ...body },
      });
      expect(answer.status).toBe(201);
      return answer.body;
    };
    const list = async (tenantId: string) =>
      (await operator.request<ListView<Key>>('GET', keysOf(tenantId))).body.items;
    const rotate = async (tenantId: string, key: Key, body?: object): Promise<MadeKey> => {
      const path = `${keysOf(tenantId)}/${key.id}/rotate`;
      const answer = await operator.request<MadeKey>('POST', path, body === undefined ? {} : { body });
      expect(answer.status).toBe(201);
      return answer.body;
    };

    it('is shown once and stored as a hash', async () => {
      const tenant = await newTenant();
      const { apiKey, ...key } = await make(tenant.id, { description: 'front desk' });
      const secret = apiKey.slice(apiKey.lastIndexOf('_') + 1);
      expect(secret.length).toBeGreaterThanOrEqual(32);
      expect(await list(tenant.id)).toEqual([key]);
      expect(await tracesInTables(stack, [secret])).toEqual([]);
      expect(await reads(apiKey)).toBe(200);
      expect(await reads(apiKey.replace(/.$/, (last) => (last === '0' ? '1' : '0')))).toBe(401);
    });

    it('allows what its scopes allow, and no more', async () => {
      const tenant = await newTenant();
      const { apiKey } = await make(tenant.id, { scopes: ['memory:read'] });
      expect(await reads(apiKey)).toBe(200);
      expect(await writes(apiKey)).toMatchObject({
        status: 403,
        body: { code: 'auth.missing_scope', rule: expect.stringContaining('memory:write') },
      });
      expect((await as(apiKey).request('GET', '/v1/admin/tenants')).status).toBe(403);
      for (const body of [{ scopes: [] }, { scopes: ['everything'] }, {}]) {
        const refused = await operator.request<Problem>('POST', keysOf(tenant.id), { body });
        expect(refused).toMatchObject({ status: 400, body: { code: 'payload.invalid' } });
      }
    });

    it('for administration expires after 90 days by default', async () => {
      const tenant = await newTenant();
      const days = ({ createdAt, expiresAt }: Key): number | null =>
        expiresAt === null ? null : (Date.parse(expiresAt) - Date.parse(createdAt)) / (24 * HOUR_MS);
      expect(days(await make(tenant.id, { scopes: ['admin'] }))).toBe(90);
      expect(days(await make(tenant.id, { scopes: ['admin'], expiresInDays: null }))).toBeNull();
      expect(days(await make(tenant.id, { scopes: ['admin'], expiresInDays: 7 }))).toBe(7);
      expect(days(await make(tenant.id))).toBeNull();
    });

    it('reaches only its memory and its actor, and so does the key that replaces it', async () => {
      const tenant = await newTenant();
      const all = as((await make(tenant.id)).apiKey);
      const [mine, other] = [await all.createMemory({}), await all.createMemory({})];
      const key = await make(tenant.id, { memoryId: mine.id, actorId: 'ada' });
      expect(key).toMatchObject({ memoryId: mine.id, actorId: 'ada', prefix: `tk_${key.id}_` });
      const append = async (by: Api, memoryId: string, actorId: string) =>
        by.request<Problem>('POST', eventsPath({ memoryId, actorId, sessionId: 's' }), { body: turn('user', 'hello') });
      const next = await rotate(tenant.id, key);
      expect(next).toMatchObject({ memoryId: mine.id, actorId: 'ada' });
      for (const { apiKey } of [key, next]) {
        expect((await append(as(apiKey), mine.id, 'ada')).status).toBe(200);
        for (const [memoryId, actorId] of [
          [mine.id, 'bob'],
          [other.id, 'ada'],
        ] as const) {
          const refused = await append(as(apiKey), memoryId, actorId);
          expect(refused).toMatchObject({ status: 403, body: { code: 'auth.out_of_reach' } });
        }
        expect(await reads(apiKey)).toBe(403);
        expect((await writes(apiKey)).status).toBe(403);
        const list = `/memory/memories/${mine.id}/memory-records?namespace=`;
        expect((await as(apiKey).request('GET', `${list}/facts/bob`)).status).toBe(403);
        expect((await as(apiKey).request('GET', '/v1/limits')).status).toBe(200);
      }
      const admin = await operator.request('POST', keysOf(tenant.id), { body: { scopes: ['admin'], actorId: 'ada' } });
      expect(admin).toMatchObject({ status: 400, body: { code: 'key.restricted_admin' } });
    });

    it('expires', async () => {
      const tenant = await newTenant();
      const { apiKey, ...key } = await make(tenant.id, { expiresInDays: 30 });
      expect(Date.parse(key.expiresAt!) - Date.parse(key.createdAt)).toBe(30 * 24 * HOUR_MS);
      expect(await reads(apiKey)).toBe(200);
      await stack.inspector.rows('update api_keys set expires_at = now() where key_id = $1', [key.id]);
      await untilRefused(apiKey);
    });

    it('shows when it was last used', async () => {
      const tenant = await newTenant();
      const { apiKey } = await make(tenant.id);
      expect((await list(tenant.id))[0]?.lastUsedAt).toBeNull();
      const before = Date.now();
      await reads(apiKey);
      const lastUse = async () => Date.parse((await list(tenant.id))[0]?.lastUsedAt ?? '');
      await eventually(async () => !Number.isNaN(await lastUse()));
      expect(Math.abs((await lastUse()) - before)).toBeLessThan(60_000);
    });

    it('is rotated: both work until the overlap ends', async () => {
      const tenant = await newTenant();
      const old = await make(tenant.id, { scopes: ['memory:read'], expiresInDays: 90 });
      const next = await rotate(tenant.id, old, { overlapHours: 2 });
      expect(next).toMatchObject({ scopes: ['memory:read'], revokedAt: null, replacedBy: null });
      expect([await reads(old.apiKey), await reads(next.apiKey)]).toEqual([200, 200]);
      const kept = (await list(tenant.id)).find(({ id }) => id === old.id)!;
      expect(kept.replacedBy).toBe(next.id);
      expect(Date.parse(kept.expiresAt!) - Date.parse(next.createdAt)).toBe(2 * HOUR_MS);
      // The new one expires when the old one would have.
      expect(Date.parse(next.expiresAt!) - Date.parse(next.createdAt)).toBe(90 * 24 * HOUR_MS);

      const last = await rotate(tenant.id, next, { overlapHours: 0 });
      await untilRefused(next.apiKey);
      expect(await reads(last.apiKey)).toBe(200);
      const again = await operator.request('POST', `${keysOf(tenant.id)}/${next.id}/rotate`);
      expect(again).toMatchObject({ status: 409, body: { code: 'key.not_live' } });
    });

    it('can be revoked only by its own tenant', async () => {
      const [tenant, other] = [await newTenant(), await newTenant()];
      const { apiKey, id } = await make(tenant.id);
      expect(await reads(apiKey)).toBe(200);
      expect((await operator.request('DELETE', `${keysOf(other.id)}/${id}`)).status).toBe(404);
      expect(await reads(apiKey)).toBe(200);
      expect((await operator.request('DELETE', `${keysOf(tenant.id)}/${id}`)).status).toBe(204);
      await untilRefused(apiKey);
      expect((await list(tenant.id))[0]?.revokedAt).toEqual(expect.any(String));
    });
  });

  describe.concurrent('an API key of the command line', () => {
    const cli = (...args: string[]) => cliOutput([...args, '--json'], stack.inspector.databaseUrl);
    const made = async (...args: string[]) =>
      JSON.parse(await cli(...args)) as { tenantId: string; keyId: string; apiKey: string };

    it('is created, listed, rotated and revoked', async () => {
      const first = await made('key', 'create', '--create-tenant', '--tenant', 'by-hand', '--scopes', 'memory:read');
      const secret = first.apiKey.slice(first.apiKey.lastIndexOf('_') + 1);
      expect(await reads(first.apiKey)).toBe(200);
      expect((await writes(first.apiKey)).status).toBe(403);
      expect(await tracesInTables(stack, [secret])).toEqual([]);

      const second = await made('key', 'rotate', '--tenant', 'by-hand', '--key', first.keyId, '--overlap-hours', '1');
      expect([await reads(first.apiKey), await reads(second.apiKey)]).toEqual([200, 200]);
      const listed = await cli('key', 'list', '--tenant', 'by-hand');
      expect(JSON.parse(listed)).toMatchObject([
        { keyId: second.keyId, expiresAt: null, scopes: ['memory:read'] },
        { keyId: first.keyId, replacedBy: second.keyId, expiresAt: expect.any(String) },
      ]);
      expect(listed).not.toContain(secret);
      expect(JSON.parse(listed)[1].prefix).toBe(`tk_${first.keyId}_`);

      await cliOutput(['key', 'revoke', '--tenant', 'by-hand', '--key', first.keyId], stack.inspector.databaseUrl);
      await untilRefused(first.apiKey);
      expect(await reads(second.apiKey)).toBe(200);
      const entries = await stack.inspector.rows(
        `select action, resource, address, key_id = 'cli:' || $2 as by_us from audit_log where tenant_id = $1 order by entry`,
        [first.tenantId, userInfo().username],
      );
      const entry = (action: string, resource: string) => ({ action, resource, address: '', by_us: true });
      expect(entries).toEqual([
        entry('createKey', `turnkeeper key create ${first.keyId}`),
        entry('rotateKey', `turnkeeper key rotate ${first.keyId}`),
        entry('revokeKey', `turnkeeper key revoke ${first.keyId}`),
      ]);
    });

    it('is created for one actor', async () => {
      const tenant = await newTenant();
      const { apiKey } = await made(
        'key',
        'create',
        '--tenant',
        tenant.name,
        '--actor',
        'ada',
        '--expires-in-days',
        '7',
      );
      expect(await reads(apiKey)).toBe(403);
    });

    it('is not created from invalid options', async () => {
      const refused = async (...args: string[]) => (await runCli(args, stack.inspector.databaseUrl)).code;
      expect(await refused('key', 'create', '--tenant', 'by-hadn')).toBe(1);
      expect(await refused('key', 'create', '--tenant', 'by-hand', '--scopes', 'everything')).toBe(2);
      expect(await refused('key', 'create', '--tenant', 'by-hand', '--expires-in-days', '0')).toBe(2);
      expect(await refused('key', 'rotate', '--tenant', 'nobody', '--key', 'x')).toBe(1);
    });
  });

  describe('a token of the OpenID Connect issuer', () => {
    let tenant: { id: string };
    let key: IssuerKey;
    beforeAll(async () => {
      tenant = await newTenant();
      key = drawIssuerKey('first');
      issuer.publish(key);
    });
    const now = () => Math.floor(Date.now() / 1_000);
    const good = (changes: object = {}, by: IssuerKey = key, header: Record<string, unknown> = {}) =>
      tokenOf(issuer.claims(tenant.id, { ...changes }), by, header);

    it('is requested by a console using the public configuration', async () => {
      const told = await stack.apiOf(stack.ingests[0]!, null).request('GET', '/v1/auth/config');
      expect(told).toMatchObject({
        status: 200,
        body: {
          oidc: { issuer: issuer.url, clientId: 'console', audience: issuer.audience, scopes: ['openid', 'profile'] },
        },
      });
    });

    it('authenticates as the tenant it names, with its scopes', async () => {
      expect(await reads(good())).toBe(200);
      expect((await writes(good())).status).toBe(403);
      const written = await writes(good({ scope: 'memory:read memory:write' }));
      expect(written.status).toBe(200);
      const { body } = await as(good()).request<{ totalItem: number }>('GET', '/memory/memories');
      expect(body.totalItem).toBe(1);
      const other = tokenOf(issuer.claims((await newTenant()).id), key);
      expect((await as(other).request<{ totalItem: number }>('GET', '/memory/memories')).body.totalItem).toBe(0);
    });

    it.each<[string, () => string]>([
      ['another issuer', () => good({ iss: 'http://127.0.0.1:1' })],
      ['another audience', () => good({ aud: 'another-service' })],
      ['a time that has passed', () => good({ exp: now() - 60 })],
      ['a life of more than a day', () => good({ exp: now() + 90_000 })],
      ['no end', () => good({ exp: undefined })],
      ['a time to come', () => good({ nbf: now() + 60 })],
      ['no tenant', () => good({ tenant_id: undefined })],
      ['a tenant that is not here', () => good({ tenant_id: '01890000-0000-7000-8000-000000000002' })],
      ['the algorithm none', () => good({}, key, { alg: 'none' })],
      ['an unpublished key', () => good({}, drawIssuerKey())],
      ['the name of a published key and the signature of another', () => good({}, drawIssuerKey('first'))],
      ['another content under the signature', () => forged(good(), good({ scope: 'admin' }))],
    ])('is rejected with %s', async (_, token) => {
      expect(await reads(good())).toBe(200);
      const refusal = await as(token()).request('GET', '/memory/memories');
      expect(refusal).toMatchObject({ status: 401, body: { code: 'auth.unauthenticated' } });
      expect(refusal.headers.get('www-authenticate')).toMatch(/^Bearer/);
    });

    // The last of them: it removes their key.
    it('is accepted with the key the issuer rotated to, and rejected with the one it withdrew', async () => {
      expect(await reads(good())).toBe(200);
      const next = drawIssuerKey('second');
      issuer.publish(next);
      await eventually(async () => (await reads(good({}, next))) === 200, { withinMs: 30_000, everyMs: 200 });
      expect(await reads(good())).toBe(401);
      // API keys keep working.
      expect((await stack.api.request('GET', '/memory/memories')).status).toBe(200);
    });
  });

  describe.concurrent("a tenant's rate limit", () => {
    const untilLimited = async (credential: string) => {
      let answer = await as(credential).request<Problem>('GET', '/memory/memories');
      await eventually(
        async () => (answer = await as(credential).request<Problem>('GET', '/memory/memories')).status === 429,
        { withinMs: 30_000 },
      );
      return answer;
    };

    /** An action of a vendor's API without an API key: it counts towards the tenant whose app signed it. */
    const actAsZego = async () => {
      const { headers, body } = await stack
        .apiOf(stack.ingests[0]!, null)
        .request<{ Code: number }>('POST', `/?${zegoQuery(ZEGO_APP, 'DeleteAgentInstance')}`, {
          body: { AgentInstanceId: '00000000-0000-4000-8000-000000000000' },
        });
      return { ...body, retryAfter: headers.get('retry-after') };
    };

    it('returns 429 with Retry-After, and does not affect other tenants', async () => {
      const limited = await stack.createKey({ tenant: 'hasty' });
      const memory = await as(limited).createMemory({});
      const app = { memoryId: memory.id, secret: ZEGO_APP.secret };
      expect((await as(limited).request('PUT', `/v1/vendor-apps/zegocloud/${ZEGO_APP.id}`, { body: app })).status).toBe(
        200,
      );
      expect(await actAsZego()).toMatchObject({ retryAfter: null, Code: 410_001_002 });
      const limit = ['tenant', 'limit', '--tenant', 'hasty', '--requests-per-second', '1'];
      await cliOutput(limit, stack.inspector.databaseUrl);
      const { headers, body } = await untilLimited(limited);
      expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      expect(body).toMatchObject({
        code: 'tenant.rate_limited',
        rule: expect.any(String),
        next: expect.stringContaining('Retry-After'),
        retryAfterSeconds: Number(headers.get('retry-after')),
      });
      expect((await stack.api.request('GET', '/memory/memories')).status).toBe(200);
      let acted = await actAsZego();
      await eventually(async () => (acted = await actAsZego()).Code === 410_000_011, { withinMs: 30_000 });
      expect(acted.retryAfter).toMatch(/^[1-9]\d*$/);
      // A client that waits is admitted again.
      await eventually(async () => (await reads(limited)) === 200, { withinMs: 30_000, everyMs: 100 });
    });

    it('is shared by all ingest processes, and every response reports what is left', async () => {
      const [perSecond, burst] = [4, 8];
      const tenant = await newTenant({ requestsPerSecond: perSecond });
      const token = await keyOf(tenant);
      const second = await startService('ingest', stack.settings);
      try {
        const processes = [as(token), stack.apiOf(second, token)];
        // Both know the limit and that they share it.
        for (const api of processes) {
          await eventually(
            async () => {
              const { headers } = await api.request('GET', '/memory/memories');
              return headers.get('ratelimit-policy')?.startsWith(`"requests";q=${burst};w=2`) === true;
            },
            { withinMs: 60_000 },
          );
          const isLimited = async () => (await api.request('GET', '/memory/memories')).status === 429;
          await eventually(async () => (await Promise.all(Array.from({ length: 20 }, isLimited))).includes(true), {
            withinMs: 60_000,
          });
        }
        const from = performance.now();
        let letIn = 0;
        const press = async (api: Api): Promise<void> => {
          while (performance.now() - from < 6_000) {
            const { status, headers } = await api.request('GET', '/memory/memories');
            expect([200, 429]).toContain(status);
            expect(headers.get('ratelimit')).toMatch(/^"requests";r=\d+;t=\d+, "bytes";r=\d+;t=\d+$/);
            if (status === 200) letIn += 1;
          }
        };
        await Promise.all(processes.flatMap((api) => [press(api), press(api)]));
        const seconds = (performance.now() - from) / 1_000;
        // Two separate limits would admit twice as many: the burst was spent before, and one second can be spent ahead.
        expect(letIn).toBeLessThanOrEqual(perSecond * (seconds + 1) + 2 * perSecond);
      } finally {
        await second.end('SIGTERM');
      }
    });

    it('is set and lifted through the admin API', async () => {
      const tenant = await newTenant({ requestsPerSecond: 1 });
      const token = await keyOf(tenant);
      await untilLimited(token);
      const path = `/v1/admin/tenants/${tenant.id}`;
      const lifted = await operator.request('PATCH', path, { body: { requestsPerSecond: null } });
      expect(lifted).toMatchObject({ status: 200, body: { requestsPerSecond: null } });
      const burst = async () => Promise.all(Array.from({ length: 20 }, () => reads(token)));
      await eventually(async () => (await burst()).every((status) => status === 200), {
        withinMs: 30_000,
        everyMs: 200,
      });
    });
  });

  describe.concurrent("a tenant's other limits", () => {
    interface Limit {
      readonly name: string;
      readonly limit: number | null;
      readonly used: number;
      readonly remaining: number | null;
    }
    const limitsOf = async (credential: string): Promise<Map<string, Limit>> => {
      const { status, body } = await as(credential).request<{ limits: Limit[] }>('GET', '/v1/limits');
      expect(status).toBe(200);
      return new Map(body.limits.map((limit) => [limit.name, limit]));
    };

    it('default to the installation’s, and are all reported', async () => {
      const limits = await limitsOf(await keyOf(await newTenant()));
      const told = [...limits.values()].map(({ name, limit }) => [name, limit]);
      expect(told).toEqual([
        ['requestsPerSecond', 10_000],
        ['bytesPerSecond', 67_108_864],
        ['requestsInFlight', 1_000],
        ['memories', 10_000],
        ['keys', 1_000],
        ['webhookEndpoints', 20],
        ['dueWork', 100_000],
      ]);
      expect(limits.get('requestsInFlight')).toMatchObject({ used: 1, remaining: 999 });
      expect(limits.get('keys')).toMatchObject({ used: 1, remaining: 999 });
    });

    it('apply to concurrent creation of memories, and follow a change', async () => {
      const tenant = await newTenant({ limits: { memories: 3 } });
      const token = await keyOf(tenant);
      const made = await Promise.all(Array.from({ length: 8 }, () => writes(token)));
      expect(made.filter(({ status }) => status === 200)).toHaveLength(3);
      const refusals = made.filter(({ status }) => status !== 200);
      expect(refusals.map(({ body }) => body.code)).toEqual(
        Array.from({ length: 5 }, () => 'tenant.too_many_memories'),
      );
      expect((await limitsOf(token)).get('memories')).toMatchObject({ limit: 3, used: 3, remaining: 0 });
      const line = {
        kind: 'memory',
        format: 1,
        memoryId: tenant.id,
        name: 'copy',
        description: '',
        eventExpiryDuration: 1,
      };
      const imported = await as(token).request('POST', '/v1/memories:import', {
        raw: `${JSON.stringify(line)}\n${JSON.stringify({ kind: 'end', events: 0, records: 0 })}\n`,
        headers: { 'content-type': 'application/x-ndjson' },
      });
      expect(imported).toMatchObject({ status: 409, body: { code: 'tenant.too_many_memories' } });
      await cliOutput(['tenant', 'limit', '--tenant', tenant.name, '--set', 'memories=4'], stack.inspector.databaseUrl);
      expect((await writes(token)).status).toBe(200);
      expect((await writes(token)).status).toBe(409);
    });

    it('apply to keys and webhook endpoints', async () => {
      const tenant = await newTenant({ limits: { keys: 2, webhookEndpoints: 1 } });
      const token = await keyOf(tenant);
      const keys = `/v1/admin/tenants/${tenant.id}/keys`;
      const make = () =>
        operator.request<Problem & { id: string }>('POST', keys, { body: { scopes: ['memory:read'] } });
      const second = await make();
      expect(second.status).toBe(201);
      expect(await make()).toMatchObject({ status: 409, body: { code: 'tenant.too_many_keys' } });
      await operator.request('DELETE', `${keys}/${second.body.id}`);
      expect((await make()).status).toBe(201);
      const hook = () =>
        as(token).request<Problem>('POST', '/v1/webhook-endpoints', { body: { url: 'https://example.com/hook' } });
      expect((await hook()).status).toBe(201);
      expect(await hook()).toMatchObject({ status: 409, body: { code: 'webhook_endpoint.too_many' } });
    });

    it('cannot be set to invalid values', async () => {
      const { id, name } = await newTenant();
      const change = (limits: object) => operator.request('PATCH', `/v1/admin/tenants/${id}`, { body: { limits } });
      for (const limits of [{ memories: -1 }, { memories: 1.5 }, { pets: 1 }, { bytesPerSecond: 1 }]) {
        expect(await change(limits)).toMatchObject({ status: 400, body: { code: 'payload.invalid' } });
      }
      const args = ['tenant', 'limit', '--tenant', name, '--set', 'pets=1'];
      expect((await runCli(args, stack.inspector.databaseUrl)).code).toBe(2);
    });
  });

  describe("the runtime's headers", () => {
    let strict: Service;
    let api: Api;
    let memoryId: string;
    beforeAll(async () => {
      strict = await startService('ingest', { ...stack.settings, RUNTIME_HEADERS: 'required' });
      api = stack.apiOf(strict);
      memoryId = (await api.createMemory({})).id;
    });
    afterAll(() => strict.end('SIGTERM'));
    const runtime = (user?: string, session?: string): Record<string, string> => ({
      ...(user === undefined ? {} : { 'X-GreenNode-AgentBase-User-Id': user }),
      ...(session === undefined ? {} : { 'X-GreenNode-AgentBase-Session-Id': session }),
    });
    const session = () => ({ memoryId, actorId: 'ada', sessionId: 'monday' });
    const append = (by: Api, headers: Record<string, string>) =>
      by.request<Problem>('POST', eventsPath(session()), { body: turn('user', 'hello'), headers });
    /** Tested where the headers are optional: a list of actors belongs to no single user. */
    const actors = async () =>
      (await stack.api.request<{ listData: { actorId: string }[] }>('GET', `/memory/memories/${memoryId}/actors`)).body
        .listData;

    it.each([
      ['both are missing', {}, 'X-GreenNode-AgentBase-User-Id'],
      ['the user is missing', runtime(undefined, 'monday'), 'X-GreenNode-AgentBase-User-Id'],
      ['the user is empty', runtime('', 'monday'), 'X-GreenNode-AgentBase-User-Id'],
      ['the session is missing', runtime('ada'), 'X-GreenNode-AgentBase-Session-Id'],
    ])('are requested where they are required: %s', async (_, headers, field) => {
      expect(await append(api, headers)).toMatchObject({
        status: 400,
        body: { code: 'runtime.headers_missing', field },
      });
      // Nothing was written to another user instead.
      expect(await actors()).toEqual([]);
    });

    it('are required where the body names the actor, too', async () => {
      const body = { ...session(), name: 'desk' };
      const start = (headers: Record<string, string>) => api.request<Problem>('POST', '/v1/agents', { body, headers });
      expect(await start({})).toMatchObject({ status: 400, body: { code: 'runtime.headers_missing' } });
      expect(await start(runtime('eve', 'monday'))).toMatchObject({ status: 403, body: { field: 'actorId' } });
      expect(await actors()).toEqual([]);
    });

    it('must match the user of the request', async () => {
      for (const [headers, field] of [
        [runtime('eve', 'monday'), 'actorId'],
        [runtime('ada', 'tuesday'), 'sessionId'],
      ] as const) {
        expect(await append(api, headers)).toMatchObject({
          status: 403,
          body: { code: 'runtime.user_differs', field },
        });
      }
      expect(await actors()).toEqual([]);
      expect((await append(api, runtime('ada', 'monday'))).status).toBe(200);
      expect(await actors()).toMatchObject([{ actorId: 'ada' }]);
    });

    it('are enforced when sent, even where they are optional', async () => {
      expect((await append(stack.api, {})).status).toBe(200);
      expect((await append(stack.api, runtime('ada', 'monday'))).status).toBe(200);
      expect((await append(stack.api, runtime('ada'))).status).toBe(400);
      expect((await append(stack.api, runtime('eve', 'monday'))).status).toBe(403);
    });
  });
});

/** The first token with the payload of the second. */
const forged = (token: string, other: string): string => {
  const [header, , signature] = token.split('.');
  return [header, other.split('.')[1], signature].join('.');
};
