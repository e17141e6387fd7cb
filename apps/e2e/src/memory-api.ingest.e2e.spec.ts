import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SCOPES } from '@turnkeeper/contracts';
import { OUR_ROUTES } from '@turnkeeper/vendors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PageView, Problem, StoredEvent } from './harness/answers.js';
import { eventsPath, turn, type Api, type Session } from './harness/api.js';
import { EventStreamReader } from './harness/event-stream.js';
import { startService } from './harness/service.js';
import { Stack } from './harness/stack.js';

describe('the memory API', () => {
  let stack: Stack;
  let memoryId: string;
  beforeAll(async () => {
    stack = await Stack.start({ worker: false });
    memoryId = (await stack.api.createMemory({})).id;
  });
  afterAll(() => stack.stop());

  describe('a session can be followed', () => {
    const open = (api: Api, path: string, headers: Record<string, string> = {}) =>
      fetch(`${api.url}${path}`, { headers: { authorization: `Bearer ${api.apiKey}`, ...headers } });
    const texts = ({ events }: EventStreamReader) =>
      events.map(({ id, data }) => [id, (data as StoredEvent).payload.message]);

    it('from any event on, in order and without gaps or duplicates, also after a break', async () => {
      const session = { memoryId, actorId: 'ada', sessionId: 'followed' };
      await stack.api.appendBatch(session, [turn('user', 'one'), turn('assistant', 'two')]);
      const path = `${eventsPath(session)}/stream`;
      const stream = new EventStreamReader(await open(stack.api, `${path}?after=1`));
      expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
      await stream.until(({ comments }) => comments.length > 0);
      expect(texts(stream)).toEqual([[2, 'two']]);
      await stack.api.append(session, turn('user', 'three'));
      await stream.until(({ events }) => events.length === 2);
      await stream.close();
      await stack.api.appendBatch(
        session,
        Array.from({ length: 150 }, (_, at) => turn('user', `${at + 4}`)),
      );
      const again = new EventStreamReader(await open(stack.api, path, { 'last-event-id': '3' }));
      await again.until(({ comments }) => comments.length > 0);
      expect(texts(again)).toEqual(Array.from({ length: 150 }, (_, at) => [at + 4, `${at + 4}`]));
      const { body } = await stack.api.request<PageView<StoredEvent>>('GET', `${eventsPath(session)}?size=1`);
      expect(again.events.at(-1)!.data).toEqual(body.listData[0]);
      await again.close();
    });

    it('with a clear answer to bad input', async () => {
      const session = { memoryId, actorId: 'ada', sessionId: 'followed' };
      const path = `${eventsPath(session)}/stream`;
      const refused = async (url: string, headers: Record<string, string> = {}) => {
        const { status, body } = await stack.api.request<Problem>('GET', url, { headers });
        return [status, body.code, body.field];
      };
      expect(await refused(path, { 'last-event-id': 'x' })).toEqual([400, 'payload.invalid', 'Last-Event-ID']);
      expect(await refused(`${path}?after=-1`)).toEqual([400, 'payload.invalid', 'after']);
      const unknown = eventsPath({ ...session, memoryId: '00000000-0000-4000-8000-000000000000' });
      expect((await refused(`${unknown}/stream`)).slice(0, 2)).toEqual([404, 'memory.not_found']);
    });

    it('until the server stops, which ends the response', async () => {
      const ingest = await stack.startIngest();
      const session = { memoryId, actorId: 'ada', sessionId: 'followed' };
      const api = stack.apiOf(ingest, stack.api.apiKey);
      const stream = new EventStreamReader(await open(api, `${eventsPath(session)}/stream?after=152`));
      await stream.until(({ comments }) => comments.length > 0);
      await Promise.all([ingest.end('SIGTERM'), stream.until(() => false)]);
      expect([stream.ended, stream.events.length]).toEqual([true, 1]);
    });
  });

  describe('a resource has a version', () => {
    const cases = async (): Promise<readonly (readonly [string, string, object, object])[]> => {
      const memory = await stack.api.createMemory({ longTermMemoryStrategies: [{ name: 'facts', type: 'SEMANTIC' }] });
      const path = `/memory/memories/${memory.id}`;
      const endpoint = await stack.api.createEndpoint('http://127.0.0.1:59999/hook');
      const agent = await stack.api.startAgent({ memoryId: memory.id, actorId: 'ada', sessionId: 's' }, memory.id);
      const at = `/v1/agents/${agent.id}`;
      return [
        [path, path, { description: 'one' }, { description: 'two' }],
        ...memory.longTermMemoryStrategies.map(({ id }) => {
          const strategy = `${path}/long-term-memory-strategies/${id}`;
          return [strategy, strategy, { name: 'one' }, { name: 'two' }] as const;
        }),
        ...[`/v1/webhook-endpoints/${endpoint.id}`].map(
          (one) => [one, one, { description: 'one' }, { description: 'two' }] as const,
        ),
        [at, `${at}/update`, { params: { one: 1 } }, { params: { two: 2 } }],
      ];
    };

    it('that is checked on changes and saves readers the response', async () => {
      for (const [path, changePath, one, two] of await cases()) {
        const method = changePath === path ? 'PATCH' : 'POST';
        const read = (headers: Record<string, string> = {}) => stack.api.request('GET', path, { headers });
        const change = (body: object, etag: string) =>
          stack.api.request<Problem>(method, changePath, { body, headers: { 'if-match': etag } });
        const first = (await read()).headers.get('etag') ?? '';
        expect((await read({ 'if-none-match': first })).status, path).toBe(304);
        // Concurrent: the row is locked, so one of them is too late.
        const both = await Promise.all([change(one, first), change(two, first)]);
        expect(both.map(({ status }) => status).sort(), path).toEqual([200, 412]);
        expect(both.find(({ status }) => status === 412)?.body.code).toBe('request.version_differs');
        const second = both.find(({ status }) => status === 200)?.headers.get('etag') ?? '';
        expect((await read()).headers.get('etag'), path).toBe(second);
        expect(second).not.toBe(first);
        expect((await change(one, 'bare')).status, path).toBe(400);
        expect((await change(two, `"x", ${second}`)).status, path).toBe(200);
      }
    });

    it('and a created one has a Location', async () => {
      const made = await stack.api.request('POST', '/memory/memories', { body: { name: 'located' } });
      const { status, body } = await stack.api.request('GET', made.headers.get('location') ?? '');
      expect([status, body]).toMatchObject([200, { name: 'located' }]);
    });
  });

  describe('an Idempotency-Key', () => {
    let operator: Api;
    beforeAll(async () => {
      operator = stack.apiOf(stack.ingests[0]!, await stack.createKey({ scopes: SCOPES }));
    });
    const send = (path: string, body: object, key: string) =>
      operator.request<Record<string, unknown>>('POST', path, { body, headers: { 'idempotency-key': key } });
    const routes = (): readonly (readonly [string, object, object])[] => [
      ['/memory/memories', { name: 'once' }, { name: 'twice' }],
      [
        `/memory/memories/${memoryId}/long-term-memory-strategies`,
        { name: 'once', type: 'SEMANTIC' },
        { name: 'twice', type: 'SEMANTIC' },
      ],
      ['/v1/webhook-endpoints', { url: 'http://127.0.0.1:59999/once' }, { url: 'http://127.0.0.1:59999/twice' }],
      ['/v1/agents', { memoryId, actorId: 'ada', sessionId: 's', name: 'once' }, { memoryId, name: 'twice' }],
      ['/v1/admin/tenants', { name: 'once' }, { name: 'twice' }],
      [
        `/memory/memories/${memoryId}/memory-records:insert-directly?namespace=/once`,
        { memoryRecords: ['A fact.'] },
        { memoryRecords: ['Another fact.'] },
      ],
      [`/v1/memories/${memoryId}/record-deletions`, { namespace: '/gone' }, { namespace: '/gone-too' }],
    ];

    it('returns the first answer to a repeat, and rejects another body', async () => {
      const tenant = await send('/v1/admin/tenants', { name: 'with-keys' }, 'tenant');
      const keys = `/v1/admin/tenants/${String(tenant.body['id'])}/keys`;
      for (const [path, body, other] of [
        ...routes(),
        [keys, { scopes: ['memory:read'] }, { scopes: ['memory:write'] }] as const,
      ]) {
        const first = await send(path, body, 'once');
        const again = await send(path, body, 'once');
        expect(first.status, `${path} ${JSON.stringify(first.body)}`).toBeLessThan(300);
        expect([again.status, again.body], path).toEqual([first.status, first.body]);
        expect(again.headers.get('location'), path).toBe(first.headers.get('location'));
        expect([first, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
        expect(await send(path, other, 'once'), path).toMatchObject({
          status: 422,
          body: { code: 'idempotency.body_differs', field: 'Idempotency-Key' },
        });
      }
      const { body } = await operator.request<{ items: unknown[] }>('GET', keys);
      expect(body.items).toHaveLength(1);
    });

    it('carries out one of several concurrent requests', async () => {
      const body = { name: 'concurrent' };
      const answers = await Promise.all(Array.from({ length: 8 }, () => send('/v1/admin/tenants', body, 'race')));
      const created = answers.filter(({ status }) => status === 201);
      expect(created.length).toBeGreaterThan(0);
      expect(new Set(created.map((answer) => answer.body['id'])).size).toBe(1);
      const others = answers.filter(({ status }) => status !== 201);
      for (const other of others) expect(other.body).toMatchObject({ code: 'idempotency.in_progress', status: 409 });
    });

    it('can be used again after a rejection, and must be well-formed', async () => {
      expect((await send('/memory/memories', { name: 'a b' }, 'rejected')).status).toBe(400);
      expect((await send('/memory/memories', { name: 'a-b' }, 'rejected')).status).toBe(200);
      const malformed = await send('/memory/memories', { name: 'a-b' }, 'two words');
      expect(malformed).toMatchObject({ status: 400, body: { field: 'Idempotency-Key' } });
    });

    it('whose answer was erased is not carried out again', async () => {
      const body = { memoryId, actorId: 'to-erase', sessionId: 's', name: 'to-erase' };
      expect((await send('/v1/agents', body, 'erased')).status).toBe(201);
      expect((await stack.api.request('DELETE', `/memory/memories/${memoryId}/actors/to-erase`)).status).toBe(200);
      expect(await send('/v1/agents', body, 'erased')).toMatchObject({
        status: 409,
        body: { code: 'idempotency.answer_missing' },
      });
    });
  });

  it('deletes a tenant with a signed receipt, again and again, but not the one of the caller', async () => {
    const operator = stack.apiOf(stack.ingests[0]!, await stack.createKey({ tenant: 'operators', scopes: SCOPES }));
    const theirs = stack.apiOf(stack.ingests[0]!, await stack.createKey({ tenant: 'leaving' }));
    await theirs.append(
      { memoryId: (await theirs.createMemory({})).id, actorId: 'a', sessionId: 's' },
      turn('user', 'Hi.'),
    );
    const { body } = await operator.request<{ items: { id: string; name: string }[] }>('GET', '/v1/admin/tenants');
    const idOf = (name: string) => body.items.find((tenant) => tenant.name === name)?.id ?? '';
    interface Receipt {
      readonly receipt: { readonly memories: number; readonly erased: { readonly events: number } };
      readonly signature: { readonly jws: string };
    }
    const remove = (name: string) => operator.request<Receipt>('DELETE', `/v1/admin/tenants/${idOf(name)}`);
    const first = await remove('leaving');
    expect(first).toMatchObject({ status: 200, body: { receipt: { memories: 1, erased: { events: 1 } } } });
    const [, payload = ''] = first.body.signature.jws.split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toEqual(first.body.receipt);
    expect((await theirs.request('GET', '/memory/memories')).status).toBe(401);
    expect((await operator.request('GET', `/v1/admin/tenants/${idOf('leaving')}`)).status).toBe(404);
    expect(await remove('leaving')).toMatchObject({ status: 200, body: { receipt: { memories: 0 } } });
    expect(await remove('operators')).toMatchObject({ status: 409, body: { code: 'tenant.is_callers' } });
  });

  describe("AgentBase's limits, each rejected with the field, the rule and what to do next", () => {
    const strategy = (more: object) => ({
      name: 'a',
      longTermMemoryStrategies: [{ name: 'facts', type: 'SEMANTIC', ...more }],
    });
    const at = 'longTermMemoryStrategies.0';
    it.each<[string, object, string]>([
      ['a name of 51 characters', { name: 'a'.repeat(51) }, 'name'],
      ['a name outside the pattern', { name: 'front desk' }, 'name'],
      ['0 days', { name: 'a', eventExpiryDuration: 0 }, 'eventExpiryDuration'],
      ['366 days', { name: 'a', eventExpiryDuration: 366 }, 'eventExpiryDuration'],
      ['half a day', { name: 'a', eventExpiryDuration: 0.5 }, 'eventExpiryDuration'],
      ['an unknown type', strategy({ type: 'UNHEARD_OF' }), `${at}.type`],
      ['a strategy without a name', strategy({ name: '' }), `${at}.name`],
      ['a template of 51 characters', strategy({ namespaceTemplate: 'a'.repeat(51) }), `${at}.namespaceTemplate`],
      ['a template outside the pattern', strategy({ namespaceTemplate: '/a b' }), `${at}.namespaceTemplate`],
      ['an unknown variable', strategy({ namespaceTemplate: '/{tenant}' }), `${at}.namespaceTemplate`],
      [
        'an output schema with a pattern',
        strategy({
          ...{ type: 'CUSTOM', customFactExtractionPrompt: 'Orders.' },
          outputSchema: { type: 'object', properties: { sku: { type: 'string', pattern: 'A+' } } },
        }),
        `${at}.outputSchema.properties.sku`,
      ],
      [
        'an output schema of another type',
        strategy({ outputSchema: { type: 'object', properties: { sku: { type: 'string' } } } }),
        `${at}.outputSchema`,
      ],
      ['CUSTOM without a prompt', strategy({ type: 'CUSTOM' }), `${at}.customFactExtractionPrompt`],
    ])('of a memory: %s', async (_, body, field) => {
      expectRefusal(await stack.api.request<Problem>('POST', '/memory/memories', { body }), field);
    });

    it.each<[string, object, string]>([
      ['a blank question', { query: ' \n' }, 'query'],
      ['1,001 characters', { query: 'x'.repeat(1_001) }, 'query'],
      ['a limit of 4', { query: 'x', limit: 4 }, 'limit'],
      ['a limit of 201', { query: 'x', limit: 201 }, 'limit'],
      ['a threshold below 0', { query: 'x', scoreThreshold: -0.01 }, 'scoreThreshold'],
      ['a threshold above 1', { query: 'x', scoreThreshold: 1.01 }, 'scoreThreshold'],
    ])('of a search: %s', async (_, body, field) => {
      const path = `/memory/memories/${memoryId}/memory-records:search?namespace=n`;
      expectRefusal(await stack.api.request<Problem>('POST', path, { body }), field);
    });

    it.each<[string, string, string, object | undefined, string]>([
      ['a search without a namespace', 'POST', 'memory-records:search', { query: 'x' }, 'namespace'],
      ['a listing without a namespace', 'GET', 'memory-records', undefined, 'namespace'],
      [
        'no fact to insert',
        'POST',
        'memory-records:insert-directly?namespace=n',
        { memoryRecords: [] },
        'memoryRecords',
      ],
      [
        'an empty fact',
        'POST',
        'memory-records:insert-directly?namespace=n',
        { memoryRecords: [''] },
        'memoryRecords.0',
      ],
      ['a generation without its session', 'POST', 'memory-records:generate-from-session', undefined, 'actorId'],
      ['101 rows of events', 'GET', 'actors/a/sessions/s/events?size=101', undefined, 'size'],
      ['page 0', 'GET', 'actors/a/sessions/s/events?page=0', undefined, 'page'],
      ['events from beyond row 5,000', 'GET', 'actors/a/sessions/s/events?page=52&size=100', undefined, 'page'],
      ['actors from beyond row 5,000', 'GET', 'actors?page=52&size=100', undefined, 'page'],
      ['sessions from beyond row 5,000', 'GET', 'actors/a/sessions?page=52&size=100', undefined, 'page'],
      [
        'a time without a zone',
        'GET',
        'actors/a/sessions/s/events?fromTimestamp=2026-01-01',
        undefined,
        'fromTimestamp',
      ],
    ])('of requests: %s', async (_, method, path, body, field) => {
      const parts = body === undefined ? {} : { body };
      const answer = await stack.api.request<Problem>(method, `/memory/memories/${memoryId}/${path}`, parts);
      expectRefusal(answer, field);
    });
  });

  it('returns the events beyond row 5,000 to clients that follow the cursor', async () => {
    const session = { memoryId, actorId: 'ada', sessionId: 'endless' };
    for (let batch = 0; batch < 6; batch += 1) {
      const events = Array.from({ length: 1_000 }, (_, i) => turn('user', `message ${batch * 1_000 + i + 1}`));
      await stack.api.appendBatch(session, events);
    }
    const page = async (query: string) =>
      (await stack.api.request<PageView<StoredEvent>>('GET', `${eventsPath(session)}?size=100&${query}`)).body;
    const deepest = await page('page=51&order=asc');
    expect(deepest).toMatchObject({ totalItem: 6_000, next: 5_100 });
    const next = await page(`order=asc&after=${deepest.next}`);
    expect(next.listData.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 100 }, (_, i) => 5_101 + i));
    expect(await page('order=asc&after=5901')).toMatchObject({ next: null });
    expect((await page('order=desc&after=101')).listData.at(-1)?.payload.message).toBe('message 1');
    const all = await stack.api.history(session);
    expect(all.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 6_000 }, (_, i) => i + 1));
  });

  describe('the expiry of events', () => {
    const session = (id: string): Session => ({ memoryId: id, actorId: 'ada', sessionId: 'monday' });
    /** Lifetime in days of each message of the memory, from its arrival, oldest first. */
    const lives = async (id: string): Promise<number[]> => {
      const rows = await stack.inspector.rows<{ days: string }>(
        `select extract(epoch from expires_at - recorded_at) / 86400 as days from events
          where memory_id = $1 and type = 'message.appended' order by position`,
        [id],
      );
      return rows.map(({ days }) => Number(days));
    };
    const change = (id: string, body: object) =>
      stack.api.request<Problem>('PATCH', `/memory/memories/${id}`, { body });

    it('is changed for new events only, and for existing ones on request', async () => {
      const { id } = await stack.api.createMemory({ eventExpiryDuration: 30 });
      await stack.api.append(session(id), turn('user', 'first', { eventTimestamp: '2020-01-01T00:00:00Z' }));
      expect(await change(id, { eventExpiryDuration: 7 })).toMatchObject({
        status: 200,
        body: { eventExpiryDuration: 7 },
      });
      await stack.api.append(session(id), turn('user', 'second'));
      // From its arrival, although it was said years ago.
      expect(await lives(id)).toEqual([30, 7]);
      expect((await change(id, { eventExpiryDuration: 2, applyToExisting: true })).status).toBe(200);
      expect(await lives(id)).toEqual([2, 2]);
      expectRefusal(await change(id, { applyToExisting: true }), 'eventExpiryDuration');
      expect(await stack.api.history(session(id))).toHaveLength(2);
    });

    it.each([
      ['ahead', 400],
      ['behind', -400],
    ])('uses the database clock, although the process clock is far %s', async (_, days) => {
      const preload = pathToFileURL(join(import.meta.dirname, 'harness', 'shifted-clock.mjs')).href;
      const shifted = await startService('ingest', {
        ...stack.settings,
        NODE_OPTIONS: `--import ${preload}`,
        CLOCK_SHIFT_DAYS: String(days),
      });
      try {
        const api = stack.apiOf(shifted);
        const { id } = await stack.api.createMemory({ eventExpiryDuration: 30 });
        const before = Date.now();
        const { recordedAt } = await api.append(session(id), turn('user', 'now'));
        expect(Math.abs(Date.parse(recordedAt) - before)).toBeLessThan(3_600_000);
        expect(await lives(id)).toEqual([30]);
        for (const reader of [api, stack.api]) expect(await reader.history(session(id))).toHaveLength(1);
        await stack.inspector.rows(
          `select set_config('turnkeeper.change', 'expiry', false);
           update events set expires_at = now() where memory_id = '${id}' and expires_at is not null`,
        );
        for (const reader of [api, stack.api]) expect(await reader.history(session(id))).toEqual([]);
      } finally {
        await shifted.end('SIGTERM');
      }
    });
  });

  it('serves the committed document, and a page that people can read', async () => {
    const served = await stack.api.request('GET', '/openapi.json');
    const committed = await readFile(join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8');
    expect(served.body).toEqual(JSON.parse(committed));
    const pageAt = async (path: string): Promise<string> => {
      const page = await fetch(`${stack.api.url}${path}`);
      expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
      expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
      return page.text();
    };
    const html = await pageAt('/docs/plain');
    for (const { path } of OUR_ROUTES) expect(html).toContain(path);
    expect(await pageAt('/')).toContain('href="/docs"');
    const interactive = await pageAt('/docs');
    const loaded = [...interactive.matchAll(/(?:src|href)="(\/docs\/assets\/[^"]+)"/g)].map(([, path]) => path);
    expect(loaded).toHaveLength(5);
    for (const path of loaded) {
      const asset = await fetch(`${stack.api.url}${path}`);
      expect([path, asset.status, (await asset.arrayBuffer()).byteLength > 50]).toEqual([path, 200, true]);
    }
    expect(interactive).not.toMatch(/(?:src|href)="(?!\/)/); // from no other origin
    const missing = await stack.api.request<Problem>('GET', '/docs/assets/..%2fpackage.json');
    expect([missing.status, missing.body.code]).toEqual([404, 'route.not_found']);
  });
});

const expectRefusal = ({ status, body }: { status: number; body: Problem }, field: string): void => {
  expect([status, body], JSON.stringify(body)).toEqual([
    400,
    expect.objectContaining({ field, rule: expect.stringMatching(/\S/), next: expect.stringMatching(/\S/) }),
  ]);
};
