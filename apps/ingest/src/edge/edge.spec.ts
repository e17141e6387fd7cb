import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { RouteSpec } from '@turnkeeper/contracts';
import { loadSettings } from '@turnkeeper/platform';
import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MissingScope, Unauthenticated } from '../auth/auth-errors.js';
import { problemOf } from '../http/problem.js';
import { answerProblem } from '../http/problem.filter.js';
import type { Admission, Admitted } from './admit-on-headers.js';
import { HeavyBodies } from './heavy-bodies.js';
import { edgeOptions, registerEdge } from './register-edge.js';

// Generous: a busy machine must not fail what is only slow.
vi.setConfig({ testTimeout: 60_000 });

const MIB = 1_048_576;
/** Admits the caller named by the Authorization header; `later` resolves after a look-up, like an uncached key. */
const admission = {
  admit: (request: Admitted & { headers: { authorization?: string } }): void | Promise<void> => {
    const { authorization: tenantId } = request.headers;
    if (tenantId === undefined) throw new Unauthenticated();
    if (tenantId === 'later') return Promise.reject(new MissingScope('memory:write'));
    request.tenantId = tenantId;
    return undefined;
  },
  rateOf: () => null,
  noteBytes: () => undefined,
} as unknown as Admission;

const spec = (scope: RouteSpec['scope'], more: object = {}) => ({ config: { spec: { scope, ...more } } });

/** A connection that sends what it is given and stores the response. */
class Client {
  received = '';
  closed = false;
  constructor(private readonly socket: Socket) {
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => (this.received += text));
    socket.on('close', () => (this.closed = true));
    socket.on('error', () => undefined);
  }
  send(text: string): this {
    this.socket.write(text);
    return this;
  }
  sendBytes(bytes: Buffer): this {
    this.socket.write(bytes);
    return this;
  }
  end(): void {
    this.socket.destroy();
  }
  get status(): number {
    return Number(this.received.slice(9, 12));
  }
  get problem(): { readonly code?: string } {
    return JSON.parse(this.received.slice(this.received.indexOf('\r\n\r\n') + 4)) as { code?: string };
  }
  async answered(): Promise<this> {
    await vi.waitFor(() => expect(this.received).toContain('\r\n\r\n'), { timeout: 10_000, interval: 5 });
    return this;
  }
  async isClosed(): Promise<void> {
    await vi.waitFor(() => expect(this.closed).toBe(true), { timeout: 10_000, interval: 5 });
  }
}

describe('the edge', () => {
  let server: FastifyInstance;
  let bodies = 0;
  /** Statuses of the errors that reached the error handler. */
  const failures: number[] = [];
  let answer: () => Promise<void> = () => Promise.resolve();
  const clients: Client[] = [];

  const serve = async (changes: Partial<ReturnType<typeof loadSettings>> = {}): Promise<void> => {
    const settings = { ...loadSettings({ DATABASE_URL: 'postgres://unused' }), ...changes };
    server = fastify({ ...edgeOptions(settings), forceCloseConnections: true });
    failures.length = 0;
    server.setErrorHandler((error, request, reply) => {
      failures.push(problemOf(error).status);
      answerProblem(error, request, reply);
    });
    registerEdge(server, settings, admission);
    const handler = async (): Promise<object> => {
      bodies += 1;
      await answer();
      return { done: true };
    };
    server.post('/keyed', spec('memory:write'), handler);
    server.post('/callback', spec(null, { bodyBytes: 1_000, rawBody: true }), handler);
    await server.listen({ host: '127.0.0.1', port: 0 });
    bodies = 0;
    answer = () => Promise.resolve();
  };
  const open = (): Client => {
    const client = new Client(connect((server.server.address() as AddressInfo).port, '127.0.0.1'));
    clients.push(client);
    return client;
  };
  const head = (path: string, length: number, tenant?: string): string =>
    [
      `POST ${path} HTTP/1.1`,
      'Host: x',
      'Content-Type: application/json',
      `Content-Length: ${length}`,
      ...(tenant === undefined ? [] : [`Authorization: ${tenant}`]),
      '\r\n',
    ].join('\r\n');
  const post = async (body: string, path = '/keyed', tenant = 'a'): Promise<Client> =>
    open()
      .send(head(path, Buffer.byteLength(body), tenant))
      .send(body)
      .answered();
  afterEach(async () => {
    for (const client of clients.splice(0)) client.end();
    await server.close();
  });

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
    expect(bodies).toBe(0);
  });

  describe('with gzip', () => {
    const zipped = (body: Buffer, encoding = 'gzip', length = body.length): [string, Buffer] => [
      [
        'POST /keyed HTTP/1.1',
        ...['Host: x', 'Authorization: acme', 'Content-Type: application/json'],
        ...[`Content-Encoding: ${encoding}`, `Content-Length: ${length}`, '', ''],
      ].join('\r\n'),
      body,
    ];
    const answerTo = async ([text, body]: [string, Buffer]): Promise<Client> =>
      open().send(text).sendBytes(body).answered();

    it('reads the decompressed body', async () => {
      await serve();
      const answered = await answerTo(zipped(gzipSync('{"a":1}')));
      expect([answered.status, bodies]).toEqual([200, 1]);
    });

    it('rejects a body that inflates beyond the limit, without inflating all of it', async () => {
      await serve({ MAX_BODY_BYTES: MIB });
      const bomb = gzipSync(Buffer.alloc(200 * MIB, ' '));
      expect(bomb.length).toBeLessThan(MIB);
      const used = process.cpuUsage();
      const answered = await answerTo(zipped(bomb));
      expect([answered.status, answered.problem.code]).toEqual([413, 'body.too_large']);
      // Inflating all of it would take more than half a second.
      expect(process.cpuUsage(used).user).toBeLessThan(400_000);
      expect(bodies).toBe(0);
    });

    it('serves the next request after such a body, on the same connection', async () => {
      await serve({ MAX_BODY_BYTES: MIB });
      const client = await answerTo(zipped(gzipSync(Buffer.alloc(200 * MIB, ' '))));
      client.send(`${head('/keyed', 2, 'acme')}{}`);
      await vi.waitFor(() => expect(client.received).toContain('HTTP/1.1 200'), { timeout: 10_000, interval: 5 });
      expect(client.closed).toBe(false);
    });

    it.each([
      ['other bytes', Buffer.from('{"a":1}'), 'gzip', 400, 'body.invalid_gzip'],
      ['a cut one', gzipSync('{"a":1}').subarray(0, 15), 'gzip', 400, 'body.invalid_gzip'],
      ['another encoding', Buffer.from('{"a":1}'), 'br', 415, 'body.encoding_unknown'],
    ])('refuses %s', async (_, body, encoding, status, code) => {
      await serve();
      const answered = await answerTo(zipped(body, encoding));
      expect([answered.status, answered.problem.code, bodies]).toEqual([status, code, 0]);
    });
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

  it('accepts bodies within the limits, in sequence on one connection', async () => {
    await serve();
    const client = await post('{"a":[1,2,3]}');
    expect(client.status).toBe(200);
    client.received = '';
    await client
      .send(head('/keyed', 2, 'a'))
      .send('{}')
      .answered();
    expect([client.status, bodies]).toEqual([200, 2]);
    expect(client.received).toContain('x-content-type-options: nosniff');
    expect(client.received).toContain('cache-control: no-store');
  });

  it.each([
    ['body.too_deep', '['.repeat(65)],
    ['body.too_deep', '['.repeat(MIB)],
    ['body.too_complex', `[${'{},'.repeat(300_000)}{}]`],
    ['body.invalid_json', '{'],
    ['body.invalid_json', '{"__proto__":{"a":1}}'],
  ])('rejects a body with %s', async (code, body) => {
    await serve();
    const client = await post(body);
    expect([client.status, client.problem.code, bodies]).toEqual([400, code, 0]);
    if (body.length < 1_000) return;
    expect((await post(body.slice(0, 900), '/callback')).problem.code).toBe(
      code === 'body.too_deep' ? code : undefined,
    );
  });

  it('serves heavy bodies of several tenants one after the other, and small ones in between', async () => {
    await serve();
    const heavy = `[${'1,'.repeat(40_000)}1]`;
    const gone = open()
      .send(head('/keyed', heavy.length, 'a'))
      .send(heavy);
    gone.end();
    const answers = await Promise.all(
      ['a', 'b', 'a', 'c', 'a'].flatMap((tenant) => [post(heavy, '/keyed', tenant), post('{}', '/keyed', tenant)]),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  });

  it('counts heavy bodies that were rejected against their tenant, and no others', async () => {
    await serve();
    const rejected = vi.spyOn(HeavyBodies.prototype, 'rejected');
    const heavy = `[${'1,'.repeat(40_000)}1]`;
    await post(heavy);
    answer = () => Promise.reject(new MissingScope('memory:write'));
    await post(heavy);
    answer = () => Promise.reject(Object.assign(new Error('bad'), { statusCode: 400 }));
    await post('{}');
    expect(rejected.mock.calls).toEqual([]);
    await post(heavy);
    await vi.waitFor(() => expect(rejected.mock.calls).toMatchObject([[{ owner: 'a' }]]));
    rejected.mockRestore();
  });

  it.each([
    ['body.too_deep', '['.repeat(65)],
    ['body.too_complex', `[${'{},'.repeat(100_000)}`],
  ])('rejects a body with %s as soon as that much of it arrived', async (code, start) => {
    await serve();
    const client = await open()
      .send(head('/keyed', 16 * MIB, 'a'))
      .send(start)
      .answered();
    expect([client.status, client.problem.code, bodies]).toEqual([400, code, 0]);
    await client.isClosed();
  });

  it('reads only a bounded part of the bodies that it rejected', async () => {
    await serve();
    const sockets: Socket[] = [];
    server.server.on('connection', (socket: Socket) => sockets.push(socket));
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
    const begun = once(server.server, 'request');
    const client = open().send(head('/keyed', 1_000, 'a'));
    await begun;
    client.send('{"a"').end();
    await vi.waitFor(() => expect(failures).toEqual([400]), { timeout: 10_000, interval: 5 });
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
    const begun = once(server.server, 'request');
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

  it('bounds buffered bytes per tenant, leaves room for others, and releases them', async () => {
    await serve({ TENANT_MAX_BODY_BYTES_IN_FLIGHT: MIB, MAX_BODY_BYTES_IN_FLIGHT: 2 * MIB });
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    answer = () => finished;
    const large = `"${'x'.repeat(0.6 * MIB)}"`;
    const first = open()
      .send(head('/keyed', large.length, 'a'))
      .send(large);
    await vi.waitFor(() => expect(bodies).toBe(1));
    // Announced, and rejected before it is sent.
    const second = await open()
      .send(head('/keyed', large.length, 'a'))
      .answered();
    expect([second.status, second.problem.code]).toEqual([429, 'tenant.bytes_in_flight']);
    for (const tenant of ['b', 'c'])
      open()
        .send(head('/keyed', large.length, tenant))
        .send(large);
    await vi.waitFor(() => expect(bodies).toBe(3));
    const full = await open()
      .send(head('/keyed', large.length, 'd'))
      .answered();
    expect([full.status, full.problem.code, full.received]).toEqual([
      503,
      'server.busy',
      expect.stringMatching(/\r\nretry-after: 1\r\n/i),
    ]);
    // Small bodies are always accepted.
    open()
      .send(head('/keyed', 2, 'd'))
      .send('{}');
    await vi.waitFor(() => expect(bodies).toBe(4));
    finish();
    await first.answered();
    expect((await post(large)).status).toBe(200);
  });

  it('releases the bytes of a client that disconnected', async () => {
    await serve({ TENANT_MAX_BODY_BYTES_IN_FLIGHT: MIB });
    const chunk = 'x'.repeat(0.6 * MIB);
    const gone = open()
      .send(head('/keyed', MIB - 1, 'a'))
      .send(chunk);
    await vi.waitFor(async () =>
      expect(
        (
          await open()
            .send(head('/keyed', MIB - 1, 'a'))
            .answered()
        ).status,
      ).toBe(429),
    );
    gone.end();
    await vi.waitFor(async () => expect((await post(`"${chunk}"`)).status).toBe(200));
  });
});
