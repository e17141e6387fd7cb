import { fastify, type FastifyInstance } from 'fastify';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { EdgeConfig } from '../edge/route-config.js';
import { BodyBudget } from '../edge/body-budget.js';
import { JSON_LIMITS } from '../edge/json-shape.js';
import { BodyReader, readJsonBodies } from '../edge/read-body.js';
import { FairWork } from './fair-work.js';
import { inShare, shareWork } from './share-work.js';

/** A tenant that has used this much is above its share. */
const MUCH_MS = 2_500;

describe('requests of a tenant above its share', () => {
  let server: FastifyInstance | undefined;
  afterEach(() => server?.close());

  /** Its searches end when the test says so. Every response names the tenant that sent the request. */
  const given = async () => {
    let now = 0;
    const fairWork = new FairWork(1, undefined, () => now);
    server = fastify({ bodyLimit: 10_000_000 });
    server.addHook('onRequest', (request, _reply, done) => {
      Object.assign(request, { tenantId: request.headers['authorization'] });
      done();
    });
    server.setErrorHandler((error: Error & { code?: string; details?: { facts?: object } }, _request, reply) =>
      reply.code(429).send({ code: error.code, ...error.details?.facts }),
    );
    shareWork(server, fairWork);
    const budget = new BodyBudget(Infinity, Infinity);
    readJsonBodies(server, new BodyReader(budget, { timeoutMs: 60_000, json: JSON_LIMITS }));
    const searches: (() => void)[] = [];
    const search = { spec: { id: 'search', scope: 'memory:read' } } satisfies EdgeConfig;
    server.get('/search', { config: search }, async () => {
      await new Promise<void>((resolve) => searches.push(resolve));
      return 'found';
    });
    const append = { spec: { id: 'append', scope: 'memory:write' } } satisfies EdgeConfig;
    server.post('/append', { config: append }, async () => 'stored');
    const send = (tenant: string, url = '/search') =>
      server!.inject({
        method: url === '/search' ? 'GET' : 'POST',
        url,
        headers: { authorization: tenant },
        ...(url === '/search' ? {} : { payload: { a: 1 } }),
      });
    await server.ready();
    const work = fairWork.begin('large', 'search')!;
    now += MUCH_MS;
    fairWork.end(work);
    fairWork.seen('small');
    const reached = async (count: number): Promise<void> => {
      while (searches.length < count) await pause(1);
    };
    const answers: [tenant: string, code: string][] = [];
    return { send, searches, reached, answers };
  };

  it('wait for their turn, and others do not', async () => {
    const { send, searches, reached } = await given();
    const first = send('large');
    await reached(1);
    const second = send('large');
    const small = send('small');
    await reached(2);
    expect((await send('large', '/append')).body).toBe('stored');
    let isStored = false;
    const chunked = server!
      .inject({
        method: 'POST',
        url: '/append',
        headers: { authorization: 'large', 'transfer-encoding': 'chunked' },
        payload: { a: 1 },
      })
      .then(({ body }) => {
        isStored = true;
        return body;
      });
    searches[1]!();
    expect((await small).body).toBe('found');
    expect(isStored).toBe(false);
    searches[0]!();
    expect((await first).body).toBe('found');
    await reached(3);
    searches[2]!();
    expect((await second).body).toBe('found');
    expect(await chunked).toBe('stored');
  });

  it('are parsed only then if their bodies are heavy', async () => {
    const { send, searches, reached, answers } = await given();
    const first = send('large');
    await reached(1);
    const invalid = `{"a":"${'x'.repeat(1_100_000)}"`;
    const sent = ['large', 'small'].map((tenant) =>
      server!
        .inject({
          method: 'POST',
          url: '/append',
          headers: { authorization: tenant, 'content-type': 'application/json' },
          payload: invalid,
        })
        .then(({ json }) => answers.push([tenant, json<{ code: string }>().code])),
    );
    await sent[1];
    answers.push(['large', 'search']);
    searches[0]!();
    await Promise.all([first, ...sent]);
    const code = 'FST_ERR_CTP_INVALID_JSON_BODY';
    expect(answers).toEqual([
      ['small', code],
      ['large', 'search'],
      ['large', code],
    ]);
  });

  it('are rejected with Retry-After if their turn does not come in two seconds', async () => {
    const { send, searches, reached } = await given();
    const first = send('large');
    await reached(1);
    const second = await send('large');
    expect([second.statusCode, second.json()]).toEqual([
      429,
      { code: 'tenant.too_much_work', retryAfterSeconds: expect.any(Number) },
    ]);
    searches[0]!();
    expect((await first).body).toBe('found');
  });
});

describe('pages of bulk work', () => {
  it('have all items in order, and each is its own work', async () => {
    async function* items() {
      for (let n = 1; n <= 5; n += 1) yield n;
    }
    const fairWork = new FairWork(1, { bulk: new Set(['export']), writes: new Set() }, () => 0);
    const pages = await collect(inShare(items(), 'a', 'export', 2, fairWork));
    expect(pages).toEqual([[1, 2], [3, 4], [5]]);
    expect(fairWork.begin('a', 'export')).not.toBeNull();
  });
});

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};
