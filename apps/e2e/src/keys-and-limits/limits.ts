import { eventually } from '@turnkeeper/testing';
import { describe, expect, it } from 'vitest';
import type { Problem } from '../harness/answers.js';
import type { Api } from '../harness/api.js';
import { cliOutput, runCli } from '../harness/child-process.js';
import { startService } from '../harness/service.js';
import { zegoQuery } from '../harness/vendors.js';
import type { AccessWorld } from './world.js';

const ZEGO_APP = { id: 4_711, secret: 'server-secret' };

export const limitCases = (world: AccessWorld): void => {
  const { as, keyOf, newTenant, reads, writes } = world;

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
      const { headers, body } = await world.stack
        .apiOf(world.stack.ingests[0]!, null)
        .request<{ Code: number }>('POST', `/?${zegoQuery(ZEGO_APP, 'DeleteAgentInstance')}`, {
          body: { AgentInstanceId: '00000000-0000-4000-8000-000000000000' },
        });
      return { ...body, retryAfter: headers.get('retry-after') };
    };

    it('returns 429 with Retry-After, and does not affect other tenants', async () => {
      const limited = await world.stack.createKey({ tenant: 'hasty' });
      const memory = await as(limited).createMemory({});
      const app = { memoryId: memory.id, secret: ZEGO_APP.secret };
      expect((await as(limited).request('PUT', `/v1/vendor-apps/zegocloud/${ZEGO_APP.id}`, { body: app })).status).toBe(
        200,
      );
      expect(await actAsZego()).toMatchObject({ retryAfter: null, Code: 410_001_002 });
      const limit = ['tenant', 'limit', '--tenant', 'hasty', '--requests-per-second', '1'];
      await cliOutput(limit, world.stack.inspector.databaseUrl);
      const { headers, body } = await untilLimited(limited);
      expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      expect(body).toMatchObject({
        code: 'tenant.rate_limited',
        rule: expect.any(String),
        next: expect.stringContaining('Retry-After'),
        retryAfterSeconds: Number(headers.get('retry-after')),
      });
      expect((await world.stack.api.request('GET', '/memory/memories')).status).toBe(200);
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
      const second = await startService('ingest', world.stack.settings);
      try {
        const processes = [as(token), world.stack.apiOf(second, token)];
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
      const lifted = await world.operator.request('PATCH', path, { body: { requestsPerSecond: null } });
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
        ['connectors', 1_000],
        ['vendorAgents', 10_000],
        ['instanceMappings', null],
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
      await cliOutput(
        ['tenant', 'limit', '--tenant', tenant.name, '--set', 'memories=4'],
        world.stack.inspector.databaseUrl,
      );
      expect((await writes(token)).status).toBe(200);
      expect((await writes(token)).status).toBe(409);
    });

    it('apply to keys and webhook endpoints', async () => {
      const tenant = await newTenant({ limits: { keys: 2, webhookEndpoints: 1 } });
      const token = await keyOf(tenant);
      const keys = `/v1/admin/tenants/${tenant.id}/keys`;
      const make = () =>
        world.operator.request<Problem & { id: string }>('POST', keys, { body: { scopes: ['memory:read'] } });
      const second = await make();
      expect(second.status).toBe(201);
      expect(await make()).toMatchObject({ status: 409, body: { code: 'tenant.too_many_keys' } });
      await world.operator.request('DELETE', `${keys}/${second.body.id}`);
      expect((await make()).status).toBe(201);
      const hook = () =>
        as(token).request<Problem>('POST', '/v1/webhook-endpoints', { body: { url: 'https://example.com/hook' } });
      expect((await hook()).status).toBe(201);
      expect(await hook()).toMatchObject({ status: 409, body: { code: 'webhook_endpoint.too_many' } });
    });

    it('apply to connectors, mapped instances and agents of a vendor', async () => {
      const api = as(await keyOf(await newTenant({ limits: { connectors: 2, instanceMappings: 2, vendorAgents: 1 } })));
      const { id: memoryId } = await api.createMemory({});
      const app = { id: 4_712, secret: 'secret-of-4712' };
      const register = (id: number) =>
        api.request<Problem>('PUT', `/v1/vendor-apps/zegocloud/${id}`, { body: { memoryId, secret: app.secret } });
      const connect = () =>
        api.request<Problem & { id: string }>('POST', '/v1/connectors', {
          body: { vendor: 'zegocloud', memoryId, secret: 'callback-secret' },
        });
      const connector = await connect();
      expect([connector.status, (await register(app.id)).status]).toEqual([201, 200]);
      for (const refused of [await connect(), await register(4_713)]) {
        expect(refused).toMatchObject({ status: 409, body: { code: 'tenant.too_many_connectors' } });
      }
      expect((await register(app.id)).status).toBe(200);
      const map = (instanceId: string, actorId: string) =>
        api.request<Problem>('POST', `/v1/connectors/${connector.body.id}/instances`, {
          body: { instanceId, actorId, sessionId: 'monday' },
        });
      for (const actorId of ['ada', 'ben', 'ben']) expect((await map('i', actorId)).status).toBe(204);
      for (const refused of [await map('i', 'ada'), await map('other', 'ada')]) {
        expect(refused).toMatchObject({ status: 409, body: { code: 'tenant.too_many_mappings' } });
      }
      const enlist = async (AgentId: string) =>
        (
          await as('').request<{ Code: number; Message: string }>('POST', `/?${zegoQuery(app, 'RegisterAgent')}`, {
            body: { AgentId, LLM: {} },
          })
        ).body;
      expect((await enlist('a')).Code).toBe(0);
      expect(await enlist('b')).toMatchObject({
        Code: 410_000_003,
        Message: 'Too many agents are registered. Unregister one that is no longer used.',
      });
      expect((await enlist('a')).Code).toBe(410_001_008);
      const { body } = await api.request<{ limits: Limit[] }>('GET', '/v1/limits');
      expect(body.limits.filter(({ limit }) => limit === 1 || limit === 2)).toMatchObject([
        { name: 'connectors', used: 2, remaining: 0 },
        { name: 'vendorAgents', used: 1, remaining: 0 },
        { name: 'instanceMappings', used: 2, remaining: 0 },
      ]);
    });

    it('cannot be set to invalid values', async () => {
      const { id, name } = await newTenant();
      const change = (limits: object) =>
        world.operator.request('PATCH', `/v1/admin/tenants/${id}`, { body: { limits } });
      for (const limits of [{ memories: -1 }, { memories: 1.5 }, { pets: 1 }, { bytesPerSecond: 1 }]) {
        expect(await change(limits)).toMatchObject({ status: 400, body: { code: 'payload.invalid' } });
      }
      const args = ['tenant', 'limit', '--tenant', name, '--set', 'pets=1'];
      expect((await runCli(args, world.stack.inspector.databaseUrl)).code).toBe(2);
    });
  });
};
