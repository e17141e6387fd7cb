import { userInfo } from 'node:os';
import { APPLICATION_SCOPES } from '@turnkeeper/contracts';
import { eventually } from '@turnkeeper/testing';
import { describe, expect, it } from 'vitest';
import type { ListView, Problem } from '../harness/answers.js';
import { eventsPath, turn, type Api } from '../harness/api.js';
import { cliOutput, runCli } from '../harness/child-process.js';
import { tracesInTables } from '../harness/traces.js';
import type { AccessWorld, Key, MadeKey } from './world.js';

const HOUR_MS = 3_600_000;

export const apiKeyCases = (world: AccessWorld): void => {
  const { as, newTenant, reads, writes, untilRefused } = world;

  describe.concurrent('an API key of the admin API', () => {
    const keysOf = (tenantId: string) => `/v1/admin/tenants/${tenantId}/keys`;
    const make = async (tenantId: string, body: object = {}): Promise<MadeKey> => {
      const answer = await world.operator.request<MadeKey>('POST', keysOf(tenantId), {
        body: { scopes: APPLICATION_SCOPES, ...body },
      });
      expect(answer.status).toBe(201);
      return answer.body;
    };
    const list = async (tenantId: string) =>
      (await world.operator.request<ListView<Key>>('GET', keysOf(tenantId))).body.items;
    const rotate = async (tenantId: string, key: Key, body?: object): Promise<MadeKey> => {
      const path = `${keysOf(tenantId)}/${key.id}/rotate`;
      const answer = await world.operator.request<MadeKey>('POST', path, body === undefined ? {} : { body });
      expect(answer.status).toBe(201);
      return answer.body;
    };

    it('is shown once and stored as a hash', async () => {
      const tenant = await newTenant();
      const { apiKey, ...key } = await make(tenant.id, { description: 'front desk' });
      const secret = apiKey.slice(apiKey.lastIndexOf('_') + 1);
      expect(secret.length).toBeGreaterThanOrEqual(32);
      expect(await list(tenant.id)).toEqual([key]);
      expect(await tracesInTables(world.stack, [secret])).toEqual([]);
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
        const refused = await world.operator.request<Problem>('POST', keysOf(tenant.id), { body });
        expect(refused).toMatchObject({ status: 400, body: { code: 'payload.invalid' } });
      }
    });

    it('for content deletes, exports, imports and configures nothing; the scopes of before still do', async () => {
      const tenant = await newTenant();
      const talks = as((await make(tenant.id, { scopes: ['content:read', 'content:write'] })).apiKey);
      const manages = as((await make(tenant.id, { scopes: ['memory:read', 'memory:write'] })).apiKey);
      const { id } = await manages.createMemory({});
      const memory = `/memory/memories/${id}`;
      expect(
        (await talks.append({ memoryId: id, actorId: 'ada', sessionId: 'monday' }, turn('user', 'Hello'))).sequence,
      ).toBe(1);
      expect((await talks.request('GET', `${memory}/actors/ada`)).status).toBe(200);
      for (const [method, path, body, scope] of [
        ['GET', `/v1/memories/${id}/export`, undefined, 'memory:export'],
        ['PATCH', memory, { eventExpiryDuration: 1, applyToExisting: true }, 'memory:configure'],
        ['DELETE', `${memory}/actors/ada`, undefined, 'memory:delete'],
        ['DELETE', memory, undefined, 'memory:delete'],
      ] as const) {
        const parts = body === undefined ? {} : { body };
        const refused = await talks.request<Problem>(method, path, parts);
        expect(refused).toMatchObject({ status: 403, body: { code: 'auth.missing_scope' } });
        expect(refused.body.rule).toContain(scope);
        expect((await manages.request(method, path, parts)).status).toBe(200);
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
      const admin = await world.operator.request('POST', keysOf(tenant.id), {
        body: { scopes: ['admin'], actorId: 'ada' },
      });
      expect(admin).toMatchObject({ status: 400, body: { code: 'key.restricted_admin' } });
    });

    it('expires', async () => {
      const tenant = await newTenant();
      const { apiKey, ...key } = await make(tenant.id, { expiresInDays: 30 });
      expect(Date.parse(key.expiresAt!) - Date.parse(key.createdAt)).toBe(30 * 24 * HOUR_MS);
      expect(await reads(apiKey)).toBe(200);
      await world.stack.inspector.rows('update api_keys set expires_at = now() where key_id = $1', [key.id]);
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
      const again = await world.operator.request('POST', `${keysOf(tenant.id)}/${next.id}/rotate`);
      expect(again).toMatchObject({ status: 409, body: { code: 'key.not_live' } });
    });

    it('can be revoked only by its own tenant', async () => {
      const [tenant, other] = [await newTenant(), await newTenant()];
      const { apiKey, id } = await make(tenant.id);
      expect(await reads(apiKey)).toBe(200);
      expect((await world.operator.request('DELETE', `${keysOf(other.id)}/${id}`)).status).toBe(404);
      expect(await reads(apiKey)).toBe(200);
      expect((await world.operator.request('DELETE', `${keysOf(tenant.id)}/${id}`)).status).toBe(204);
      await untilRefused(apiKey);
      expect((await list(tenant.id))[0]?.revokedAt).toEqual(expect.any(String));
    });
  });

  describe.concurrent('an API key of the command line', () => {
    const cli = (...args: string[]) => cliOutput([...args, '--json'], world.stack.inspector.databaseUrl);
    const made = async (...args: string[]) =>
      JSON.parse(await cli(...args)) as { tenantId: string; keyId: string; apiKey: string };

    it('is created, listed, rotated and revoked', async () => {
      const first = await made('key', 'create', '--create-tenant', '--tenant', 'by-hand', '--scopes', 'memory:read');
      const secret = first.apiKey.slice(first.apiKey.lastIndexOf('_') + 1);
      expect(await reads(first.apiKey)).toBe(200);
      expect((await writes(first.apiKey)).status).toBe(403);
      expect(await tracesInTables(world.stack, [secret])).toEqual([]);

      const second = await made('key', 'rotate', '--tenant', 'by-hand', '--key', first.keyId, '--overlap-hours', '1');
      expect([await reads(first.apiKey), await reads(second.apiKey)]).toEqual([200, 200]);
      const listed = await cli('key', 'list', '--tenant', 'by-hand');
      expect(JSON.parse(listed)).toMatchObject([
        { keyId: second.keyId, expiresAt: null, scopes: ['memory:read'] },
        { keyId: first.keyId, replacedBy: second.keyId, expiresAt: expect.any(String) },
      ]);
      expect(listed).not.toContain(secret);
      expect(JSON.parse(listed)[1].prefix).toBe(`tk_${first.keyId}_`);

      await cliOutput(
        ['key', 'revoke', '--tenant', 'by-hand', '--key', first.keyId],
        world.stack.inspector.databaseUrl,
      );
      await untilRefused(first.apiKey);
      expect(await reads(second.apiKey)).toBe(200);
      const entries = await world.stack.inspector.rows(
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
      const refused = async (...args: string[]) => (await runCli(args, world.stack.inspector.databaseUrl)).code;
      expect(await refused('key', 'create', '--tenant', 'by-hadn')).toBe(1);
      expect(await refused('key', 'create', '--tenant', 'by-hand', '--scopes', 'everything')).toBe(2);
      expect(await refused('key', 'create', '--tenant', 'by-hand', '--expires-in-days', '0')).toBe(2);
      expect(await refused('key', 'rotate', '--tenant', 'nobody', '--key', 'x')).toBe(1);
    });
  });
};
