import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pathParameters, ROUTES, SCOPES, type RouteSpec } from '@turnkeeper/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Problem } from './harness/answers.js';
import { turn, type Answer, type Api } from './harness/api.js';
import { pathOf, sampleOf, wrongFields, wrongPathOf, type Belongings } from './harness/route-samples.js';
import { Stack } from './harness/stack.js';

/** Small, so that an oversized body is quickly made. */
const MAX_BODY_BYTES = 65_536;
const MARKER = 'Kq7secret';

/**
 * What every route must refuse, made from the route table: a route that is added is in here by that. Routes of operators
 * work across tenants; who may call them is what their scope says.
 */
const matrix = (name: string, start: () => Promise<Stack>, stop: () => Promise<void> = async () => undefined): void => {
  describe(name, () => {
    let stack: Stack;
    /** The tenant whose things are asked for, and the one that asks for them. */
    let owner: Api;
    let stranger: Api;
    /** May do what operators do. */
    let operator: Api;
    let belongings: Belongings;
    let before: string;
    const limited = new Map<string, Api>();

    beforeAll(async () => {
      stack = await start();
      owner = stack.api;
      stranger = stack.apiOf(stack.ingests[0]!, await stack.createKey({ tenant: 'stranger' }));
      operator = stack.apiOf(stack.ingests[0]!, await stack.createKey({ scopes: SCOPES }));
      for (const scope of SCOPES) {
        const scopes = SCOPES.filter((other) => other !== scope);
        limited.set(scope, stack.apiOf(stack.ingests[0]!, await stack.createKey({ tenant: 'limited', scopes })));
      }
      belongings = await furnish(stack, owner);
      before = await everythingOf(owner, belongings);
    });
    afterAll(async () => {
      await stack.stop();
      await stop();
    });

    const send = (api: Api, route: RouteSpec, path: string, query: object, body?: unknown) => {
      const search = new URLSearchParams(
        Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
      );
      const url = search.size === 0 ? path : `${path}?${search}`;
      if (route.body === undefined || body === undefined) return api.request<Problem>(route.method, url);
      if (route.bodyType === undefined || typeof body !== 'string')
        return api.request<Problem>(route.method, url, { body });
      return api.request<Problem>(route.method, url, { raw: body, headers: { 'content-type': route.bodyType } });
    };
    const ask = (api: Api, route: RouteSpec, of: Belongings = belongings) => {
      const sample = sampleOf(route, of);
      return send(api, route, sample.path, sample.query, sample.body);
    };

    const entitled = (route: RouteSpec): Api => (route.scope === 'admin' ? operator : owner);

    describe.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_, route) => {
      if (route.scope !== 'admin' && route.scope !== null) {
        it('gives a foreign tenant nothing and changes nothing', async () => {
          const { status, body } = await ask(stranger, route);
          if (namesSomething(route, belongings)) expect([404, 403], JSON.stringify(body)).toContain(status);
          else expect(status, JSON.stringify(body)).toBeLessThan(300);
          expect(JSON.stringify(body)).not.toContain(MARKER);
          expect(await everythingOf(owner, belongings)).toBe(before);
        });
      }

      if (route.scope === null) {
        it('lets nobody in without its own credential', async () => {
          const { status, body } = await ask(stack.apiOf(stack.ingests[0]!, null), route);
          expect([400, 401, 403, 404]).toContain(status);
          expect(JSON.stringify(body)).not.toContain(MARKER);
        });
      }

      if (route.scope !== null && route.scope !== 'admin' && route.path.includes('{memoryId}/')) {
        it('gives nothing of a foreign memory to a tenant that asks in its own', async () => {
          const own = await stranger.createMemory({ name: 'own' });
          const { status, body } = await ask(stranger, route, { ...belongings, memoryId: own.id });
          expect(status, JSON.stringify(body)).toBeLessThan(500);
          expect(JSON.stringify(body)).not.toContain(MARKER);
          expect(await everythingOf(owner, belongings)).toBe(before);
        });
      }

      if (route.scope !== null) {
        it('refuses a key without its scope', async () => {
          expect(await ask(limited.get(route.scope ?? '')!, route)).toMatchObject({
            status: 403,
            body: { code: 'auth.missing_scope' },
          });
        });

        it('refuses a caller without a key', async () => {
          expect(await ask(stack.apiOf(stack.ingests[0]!, null), route)).toMatchObject({ status: 401 });
        });

        it('refuses a wrong type, wherever it stands', async () => {
          const { path, query, body } = sampleOf(route, belongings);
          const answers: [string, Answer<Problem>][] = [];
          for (const [field, wrong] of wrongFields(route.body)) {
            answers.push([
              field,
              await send(entitled(route), route, path, query, { ...(body as object), [field]: wrong }),
            ]);
          }
          for (const [field] of wrongFields(route.query)) {
            answers.push([field, await send(entitled(route), route, path, { ...query, [field]: '\u0000' }, body)]);
          }
          if (route.body !== undefined) answers.push(['(body)', await send(entitled(route), route, path, query, [[]])]);
          const wrongPath = wrongPathOf(route, belongings);
          if (wrongPath !== null) answers.push(['(path)', await send(entitled(route), route, wrongPath, query, body)]);
          for (const [field, { status, body: problem }] of answers) {
            expect([400, 404], `${field}: ${JSON.stringify(problem)}`).toContain(status);
            expect(problem.code).toBeTypeOf('string');
          }
          expect(await everythingOf(owner, belongings)).toBe(before);
        });

        it('refuses an unknown field', async () => {
          const { path, query, body } = sampleOf(route, belongings);
          const inQuery = await send(entitled(route), route, path, { ...query, unheardOf: '1' }, body);
          expect(inQuery).toMatchObject({ status: 400, body: { code: 'payload.invalid' } });
          expect(JSON.stringify(inQuery.body)).toContain('unheardOf');
          if (route.body !== undefined && route.bodyType === undefined) {
            const inBody = await send(entitled(route), route, path, query, { ...(body as object), unheardOf: 1 });
            expect(inBody).toMatchObject({ status: 400, body: { code: 'payload.invalid' } });
          }
          expect(await everythingOf(owner, belongings)).toBe(before);
        });
      }

      if (route.method !== 'GET' && route.bodyType === undefined) {
        it('refuses an oversized body', async () => {
          const path = pathOf(route, belongings);
          const raw = JSON.stringify({ filler: 'x'.repeat(MAX_BODY_BYTES) });
          expect(await entitled(route).request(route.method, path, { raw })).toMatchObject({
            status: 413,
            body: { code: 'body.too_large' },
          });
        });
      }
    });
  });
};

/** Whether the request is about one thing that belongs to a tenant. */
const namesSomething = (route: RouteSpec, belongings: Belongings): boolean => {
  const inPath = pathParameters(route).some((name) => name !== 'actorId' && name !== 'sessionId' && name !== 'vendor');
  const { query, body } = sampleOf(route, belongings);
  return inPath || 'memoryId' in query || (typeof body === 'object' && body !== null && 'memoryId' in body);
};

/** One of everything that a tenant can have. */
const furnish = async (stack: Stack, owner: Api): Promise<Belongings> => {
  const make = async <T>(method: string, path: string, body: unknown): Promise<T> => {
    const answer = await owner.request<T>(method, path, { body });
    if (answer.status > 299) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const memory = await owner.createMemory({
    name: MARKER,
    longTermMemoryStrategies: [{ name: 'facts', type: 'SEMANTIC' }],
  });
  const strategyId = memory.longTermMemoryStrategies[0]!.id;
  const session = { memoryId: memory.id, actorId: 'ada', sessionId: 'monday' };
  const event = await owner.append(session, turn('user', `My code is ${MARKER}.`));
  const namespace = `/strategies/${strategyId}/actors/ada`;
  const { records } = await make<{ records: { id: string }[] }>(
    'POST',
    `/memory/memories/${memory.id}/memory-records:insert-directly?namespace=${encodeURIComponent(namespace)}`,
    { memoryRecords: [`The code is ${MARKER}.`] },
  );
  const agent = await owner.startAgent(session, `${MARKER}-agent`);
  const endpoint = await owner.createEndpoint('http://127.0.0.1:59999/hook', { description: MARKER });
  const connector = await make<{ id: string }>('POST', '/v1/connectors', {
    ...{ vendor: 'agora', memoryId: memory.id, secret: 'shared-with-the-vendor', description: MARKER },
  });
  await make('PUT', '/v1/vendor-apps/agora/app-1', { memoryId: memory.id });
  const [tenant] = await stack.inspector.rows<{ tenant_id: string; key_id: string }>(
    `select tenant_id, key_id from api_keys join tenants using (tenant_id) where name = 'acme'`,
  );
  return {
    ...session,
    strategyId,
    longTermMemoryStrategyId: strategyId,
    eventId: event.eventId,
    sourceEventId: event.eventId,
    recordId: records[0]!.id,
    agentId: agent.agentId,
    endpointId: endpoint.id,
    deliveryId: '00000000-0000-4000-8000-000000000000',
    connectorId: connector.id,
    vendor: 'agora',
    appId: 'app-1',
    namespace,
    tenantId: tenant!.tenant_id,
    keyId: tenant!.key_id,
  };
};

/** All that the owner can see of it, as one text. */
const everythingOf = async (owner: Api, of: Belongings): Promise<string> => {
  const memory = `/memory/memories/${of['memoryId']}`;
  const answers = await Promise.all(
    [
      '/memory/memories?size=100',
      memory,
      `${memory}/long-term-memory-strategies`,
      `${memory}/actors`,
      `${memory}/actors/ada/sessions`,
      `${memory}/actors/ada/sessions/monday/events?order=asc`,
      `${memory}/memory-records?namespace=${encodeURIComponent(of['namespace'] ?? '')}`,
      `/v1/agents/${of['agentId']}`,
      '/v1/webhook-endpoints',
      '/v1/connectors',
      '/v1/vendor-apps',
    ].map((path) => owner.request('GET', path)),
  );
  return JSON.stringify(answers.map(({ status, body }) => [status, body]));
};

matrix('every route', () => Stack.start({ worker: false, settings: { MAX_BODY_BYTES: String(MAX_BODY_BYTES) } }));

describe('row-level security alone', () => {
  let folder: string;
  const report = () => join(folder, 'stripped.jsonl');

  matrix('every route without a tenant predicate', async () => {
    folder = await mkdtemp(join(tmpdir(), 'turnkeeper-rls-'));
    const preload = pathToFileURL(join(import.meta.dirname, 'harness', 'without-predicates.mjs')).href;
    return Stack.start({
      worker: false,
      settings: {
        MAX_BODY_BYTES: String(MAX_BODY_BYTES),
        ROW_LEVEL_SECURITY: 'required',
        NODE_OPTIONS: `--import ${preload}`,
        WITHOUT_PREDICATES_REPORT: report(),
      },
    });
  });

  it('was all that there was: the predicates had been taken out', async () => {
    const queries = (await readFile(report(), 'utf8')).trim().split('\n');
    expect(queries.length).toBeGreaterThan(25);
    expect(queries.join()).toMatch(/from sessions s/);
    expect(queries.join()).toMatch(/MemoryEntity/);
    await rm(folder, { recursive: true });
  });
});
