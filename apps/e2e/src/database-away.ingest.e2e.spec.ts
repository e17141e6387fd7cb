import { SCOPES, type RouteSpec } from '@turnkeeper/contracts';
import { OUR_ROUTES } from '@turnkeeper/vendors';
import { breakingProxy, eventually, type BreakingProxy } from '@turnkeeper/testing';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Api } from './harness/api.js';
import { sampleOf, type Belongings } from './harness/route-samples.js';
import { isReady } from './harness/service.js';
import { Stack } from './harness/stack.js';
import { furnish } from './harness/tenant-world.js';

/** All connections of ingest together. */
const POOL_SIZE = 8;

describe('while the database is down', () => {
  let stack: Stack;
  let proxy: BreakingProxy;
  /** Its key is cached by the process. */
  let api: Api;
  /** Its key is not cached. */
  let unknown: Api;
  let belongings: Belongings;
  beforeAll(async () => {
    stack = await Stack.start({ worker: false });
    proxy = await breakingProxy(stack.settings['DATABASE_URL']!);
    await stack.ingests.splice(0)[0]!.end('SIGTERM');
    (stack.settings as Record<string, string>)['DATABASE_URL'] = proxy.url;
    (stack.settings as Record<string, string>)['DATABASE_POOL_SIZE'] = String(POOL_SIZE);
    const ingest = await stack.startIngest();
    [api, unknown] = (await Promise.all(
      [0, 1].map(async () => stack.apiOf(ingest, await stack.createKey({ scopes: SCOPES }))),
    )) as [Api, Api];
    const [tenant] = await stack.inspector.rows<{ id: string }>(`select tenant_id as id from tenants limit 1`);
    const [key] = await stack.inspector.rows<{ id: string }>(`select key_id as id from api_keys limit 1`);
    belongings = await furnish(stack, api, 'marker', { tenantId: tenant!.id, keyId: key!.id });
  });
  afterEach(() => proxy?.mend());
  afterAll(async () => {
    await stack?.stop();
    await proxy?.close();
  });

  const call = (route: RouteSpec, caller: Api): Promise<Answer<{ code?: string } | null>> => {
    const { path, query, body } = sampleOf(route, belongings);
    const search = new URLSearchParams(query).toString();
    const content =
      typeof body === 'string'
        ? { raw: body, headers: { 'content-type': 'application/x-ndjson' } }
        : body === undefined
          ? {}
          : { body };
    return caller.request(route.method, `${path}${search === '' ? '' : `?${search}`}`, content);
  };

  it('every route answers 503 with Retry-After, with a cached key or not', async () => {
    await api.request('GET', '/memory/memories'); // now cached: requests reach the routes, not only the guard
    proxy.cut();
    // First and alone: a key is cached for two seconds, and all routes at once take longer on a busy machine.
    const append = OUR_ROUTES.find(({ id }) => id === 'appendEvents')!;
    expect(await call(append, api)).toMatchObject({ status: 503, body: { code: 'log.unavailable' } });
    const answers = await Promise.all(
      [api, unknown].flatMap((caller) =>
        OUR_ROUTES.map(async (route) => ({ route, answer: await call(route, caller) })),
      ),
    );
    const bad = answers.filter(
      ({ answer: { status, headers } }) => status !== 503 || !/^\d+$/.test(headers.get('retry-after') ?? ''),
    );
    expect(bad.map(({ route, answer }) => [route.id, answer.status, answer.body])).toEqual([]);
    const codes = new Set(answers.flatMap(({ answer: { body } }) => body?.code ?? []));
    expect([...codes].filter((code) => !['database.unavailable', 'log.unavailable'].includes(code))).toEqual([]);

    const zego = await api.request<{ Code: number }>(
      'POST',
      `/?Action=DeleteAgentInstance&AppId=1&SignatureNonce=n&Timestamp=${Math.floor(Date.now() / 1_000)}&Signature=s&SignatureVersion=2.0`,
      { body: {} },
    );
    expect([zego.status, zego.body.Code, zego.headers.get('retry-after')]).toEqual([200, 410_000_001, '1']);

    proxy.mend();
    await eventually(() => isReady(stack.ingests[0]!.url), { withinMs: 20_000, what: 'ingest is ready again' });
    expect((await api.request('GET', '/memory/memories')).status).toBe(200);
  });

  it('or all its connections are in use, requests without one get 503; the others succeed eventually', async () => {
    const blocker = new pg.Client({ connectionString: stack.inspector.databaseUrl });
    await blocker.connect();
    await blocker.query('begin; lock table webhook_endpoints in access exclusive mode');
    const calls = Array.from({ length: POOL_SIZE * 3 }, () =>
      api.request<{ code?: string }>('GET', '/v1/webhook-endpoints'),
    );
    const refused = await Promise.any(
      calls.map(async (each) => ((await each).status === 503 ? each : Promise.reject(new Error()))),
    );
    expect(refused.body.code).toBe('database.unavailable');
    const [open] = await stack.inspector.rows<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
        where datname = current_database() and application_name like 'turnkeeper%'`,
    );
    expect(open!.count).toBeGreaterThan(2);
    expect(open!.count).toBeLessThanOrEqual(POOL_SIZE);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    await blocker.end();
    const statuses = new Set((await Promise.all(calls)).map(({ status }) => status));
    expect([...statuses].sort()).toEqual([200, 503]);
  });
});
