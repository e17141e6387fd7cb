import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { EdgeServer, MIB, type Client } from '../testing/edge-server.js';

// Generous: a busy machine must not fail what is only slow.
vi.setConfig({ testTimeout: 60_000 });

describe('the edge', () => {
  const edge = new EdgeServer();
  const { serve, open, head } = edge;
  afterEach(edge.close);

  it.each([
    ['without a key', '/keyed', 16 * MIB, undefined, 401, 'auth.unauthenticated'],
    ['with a key that has to be looked up', '/keyed', 16 * MIB, 'later', 403, 'auth.missing_scope'],
    ['to nowhere', '/nowhere', 16 * MIB, 'a', 404, 'route.not_found'],
    ['larger than any may be', '/keyed', 16 * MIB + 1, 'a', 413, 'body.too_large'],
    ['larger than this route takes', '/callback', 1_001, undefined, 413, 'body.too_large'],
  ])('answers a request %s before its body, and ends it', async (_, path, length, tenant, status, code) => {
    await serve();
    const client = await open()
      .send(head(path, length, tenant))
      .answered();
    expect([client.status, client.problem.code]).toEqual([status, code]);
    await client.isClosed();
    expect(edge.bodies).toBe(0);
  });

  describe('CORS', () => {
    const ask = async (method: string, origin: string, more: readonly string[] = []): Promise<Client> =>
      open()
        .send([`${method} /keyed HTTP/1.1`, 'Host: x', `Origin: ${origin}`, ...more, '', ''].join('\r\n'))
        .answered();
    const ORIGIN = 'https://console.example.com';
    const allowed = /^access-control-allow-origin: (.*)\r$/im;

    it('exposes nothing by default', async () => {
      await serve();
      expect((await ask('POST', ORIGIN)).received).not.toMatch(/access-control/i);
      expect((await ask('OPTIONS', ORIGIN, ['Access-Control-Request-Method: POST'])).status).toBe(405);
    });

    it('lets pages of CORS_ORIGINS read responses and errors, and send preflights', async () => {
      await serve({ CORS_ORIGINS: [ORIGIN] });
      const refused = await ask('POST', ORIGIN);
      expect([refused.status, allowed.exec(refused.received)?.[1]]).toEqual([401, ORIGIN]);
      const asked = await ask('OPTIONS', ORIGIN, ['Access-Control-Request-Method: POST']);
      expect([asked.status, allowed.exec(asked.received)?.[1]]).toEqual([204, ORIGIN]);
      expect(asked.received).toMatch(/^access-control-allow-methods: POST\r$/im);
      const other = await ask('POST', 'https://elsewhere.example.com');
      expect(other.received).not.toMatch(allowed);
      expect(other.received).toMatch(/^vary: Origin\r$/im);
    });
  });

  it('reports the allowed methods of a path before reading anything', async () => {
    await serve();
    const wrong = await open().send('DELETE /keyed?x=1 HTTP/1.1\r\nHost: x\r\n\r\n').answered();
    expect([wrong.status, wrong.problem.code]).toEqual([405, 'route.method_not_allowed']);
    expect(wrong.received).toMatch(/^allow: POST\r$/im);
    const nowhere = await open().send('DELETE /keyed/more HTTP/1.1\r\nHost: x\r\n\r\n').answered();
    expect([nowhere.status, nowhere.problem.code]).toEqual([404, 'route.not_found']);
  });

  it('reads only a bounded part of the bodies that it rejected', async () => {
    await serve();
    const sockets: Socket[] = [];
    edge.server.server.on('connection', (socket: Socket) => sockets.push(socket));
    const body = 'x'.repeat(16 * MIB);
    const clients = await Promise.all(
      Array.from({ length: 10 }, () =>
        open()
          .send(head('/keyed', 16 * MIB))
          .send(body)
          .answered(),
      ),
    );
    expect(clients.map(({ status }) => status)).toEqual(Array(10).fill(401));
    await Promise.all(clients.map((client) => client.isClosed()));
    const read = sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
    expect(read).toBeGreaterThan(16 * MIB);
    expect(read).toBeLessThan(100 * MIB);
  });

  it('takes a body that is cut off for the client’s fault, not for an error of the server', async () => {
    await serve();
    const begun = once(edge.server.server, 'request');
    const client = open().send(head('/keyed', 1_000, 'a'));
    await begun;
    client.send('{"a"').end();
    await vi.waitFor(() => expect(edge.failures).toEqual([400]), { timeout: 10_000, interval: 5 });
  });

  it('times out a body that trickles', async () => {
    await serve({ BODY_TIMEOUT_SECONDS: 0.1 });
    const client = open().send(head('/keyed', 1_000, 'a'));
    const trickle = setInterval(() => client.send(' '), 20);
    await client.answered();
    expect([client.status, client.problem.code]).toEqual([408, 'request.timeout']);
    await client.isClosed();
    clearInterval(trickle);
  });

  it('does not count time during which the process itself stalled', async () => {
    await serve({ BODY_TIMEOUT_SECONDS: 0.2 });
    const begun = once(edge.server.server, 'request');
    const client = open().send(head('/keyed', 2, 'a'));
    await begun;
    await new Promise((resolve) => setImmediate(resolve));
    client.send('{}');
    for (const until = performance.now() + 1_200; performance.now() < until;);
    await client.answered();
    expect(client.status).toBe(200);
  });

  it('times out a head that trickles, with a problem document', async () => {
    await serve({ HEADERS_TIMEOUT_SECONDS: 0.1 });
    const client = open().send('POST /keyed HTTP/1.1\r\nHost: x\r\n');
    const trickle = setInterval(() => client.send('X: y\r\n'), 20);
    await client.answered();
    expect([client.status, client.problem.code]).toEqual([408, 'request.timeout']);
    await client.isClosed();
    clearInterval(trickle);
  });

  it.each([
    [431, 'request.headers_too_large', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
    [400, 'request.invalid', 'nonsense\r\n\r\n'],
  ])('answers %i with a problem document', async (status, code, text) => {
    await serve();
    const client = await open().send(text).answered();
    expect([client.status, client.problem.code]).toEqual([status, code]);
    expect(client.received).toContain('application/problem+json');
    await client.isClosed();
  });
});
