import { API_ROUTES } from '@turnkeeper/vendors';
import { SCOPES, type RouteSpec } from '@turnkeeper/contracts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { turn, type Api } from './harness/api.js';
import { sampleOf, type Belongings } from './harness/route-samples.js';
import { Stack } from './harness/stack.js';
import { furnish } from './harness/tenant-world.js';

/** Every read; new routes are covered through the route table. A scope of reading is never needed to change anything. */
const READS = API_ROUTES.filter(({ method, scope }) => scope !== null && (method === 'GET' || scope.endsWith(':read')));

/** How long a lock of another connection may delay a read. */
const AT_MOST_MS = 2_000;
/** Taken by the fold of the totals, and by deletions of events. */
const ADVISORY_LOCKS = [6, 7] as const;

describe('while another connection holds every row and the locks of the counters', () => {
  let stack: Stack;
  let owner: Api;
  let operator: Api;
  let belongings: Belongings;
  let holder: pg.Client;

  beforeAll(async () => {
    stack = await Stack.start({ worker: false });
    const ingest = stack.ingests[0]!;
    operator = stack.apiOf(ingest, await stack.createKey({ tenant: 'operators', scopes: SCOPES }));
    owner = stack.apiOf(ingest, await stack.createKey({ scopes: SCOPES.filter((scope) => scope !== 'admin') }));
    const [own] = await stack.inspector.rows<{ id: string }>(`select tenant_id as id from tenants where name = 'acme'`);
    belongings = await furnish(stack, owner, 'marker', { tenantId: own!.id, keyId: owner.apiKey!.split('_')[1]! });
    // The counters have rows, and there are changes that were not added to them yet.
    for (const fold of ['select index_activity(100000)', 'select fold_totals(null, 1000)']) {
      await stack.inspector.rows(fold);
    }
    const { memoryId = '', actorId = '', sessionId = '' } = belongings;
    await owner.append({ memoryId, actorId, sessionId }, turn('user', 'one more'));
    holder = new pg.Client({ connectionString: stack.inspector.adminUrl });
    await holder.connect();
    await holder.query('begin');
    for (const key of ADVISORY_LOCKS) await holder.query('select pg_advisory_xact_lock(1414877774, $1)', [key]);
    const tables = await stack.inspector.rows<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' and tablename not like '%migrations'`,
    );
    for (const { name } of tables) await holder.query(`select from ${name} for update`);
  });
  afterAll(async () => {
    await holder?.query('rollback');
    await holder?.end();
    await stack?.stop();
  });

  it.each(READS.map((route): [string, RouteSpec] => [`${route.method} ${route.path}`, route]))(
    '%s answers',
    async (_, route) => {
      const { path, query, body } = sampleOf(route, belongings);
      const search = new URLSearchParams(
        Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
      );
      const started = performance.now();
      const api = route.scope === 'admin' ? operator : owner;
      const parts = route.body === undefined || body === undefined ? {} : { body };
      const { status } = await api.request(route.method, `${path}?${search}`, parts);
      expect([status < 500, performance.now() - started < AT_MOST_MS, status]).toEqual([true, true, status]);
    },
  );
});
