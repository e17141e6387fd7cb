import { fastify, type FastifyInstance } from 'fastify';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BodyBudget } from '../edge/body-budget.js';
import { JSON_LIMITS } from '../edge/json-shape.js';
import { BodyReader, readJsonBodies } from '../edge/read-body.js';
import { allowEmptyBodies } from './empty-bodies.js';

const MANY_BYTES = 1_000_000;

describe('a request that announces JSON', () => {
  let server: FastifyInstance;
  beforeAll(async () => {
    server = fastify();
    allowEmptyBodies(server);
    const budget = new BodyBudget(MANY_BYTES, MANY_BYTES);
    readJsonBodies(server, new BodyReader(budget, { timeoutMs: 10_000, json: JSON_LIMITS }));
    server.route({
      method: ['POST', 'DELETE'],
      url: '/',
      handler: ({ body }) => ({ body: body === undefined ? 'none' : body }),
    });
    await server.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => server.close());

  const send = (method: string, headers: Record<string, string>, text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const { port } = server.server.address() as AddressInfo;
      const call = request({ port, method, headers: { 'content-type': 'application/json', ...headers } }, (answer) => {
        let said = '';
        answer.on('data', (chunk: Buffer) => (said += String(chunk))).on('end', () => resolve(said));
      });
      call.once('error', reject).end(text);
    });

  it.each([
    ['POST', { 'content-length': '0' }],
    ['POST', { 'transfer-encoding': 'chunked' }],
    ['DELETE', {}],
    ['DELETE', { 'transfer-encoding': 'chunked' }],
  ])('with an empty body has no body: %s %j', async (method, headers) => {
    expect(await send(method, headers, '')).toBe('{"body":"none"}');
  });

  it('with a body is read as before', async () => {
    expect(await send('POST', {}, '{"a":1}')).toBe('{"body":{"a":1}}');
    expect(await send('POST', { 'transfer-encoding': 'chunked' }, '[1]')).toBe('{"body":[1]}');
    expect(await send('POST', {}, '{"a":')).toContain('FST_ERR_CTP_INVALID_JSON_BODY');
    expect(await send('POST', {}, '{"__proto__":{}}')).toContain('400');
  });
});
