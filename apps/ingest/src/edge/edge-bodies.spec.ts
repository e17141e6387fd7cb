import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MissingScope } from '../auth/auth-errors.js';
import { EdgeServer, MIB, type Client } from '../testing/edge-server.js';
import { HeavyBodies } from './heavy-bodies.js';

// Generous: a busy machine must not fail what is only slow.
vi.setConfig({ testTimeout: 60_000 });

describe('the edge, for bodies', () => {
  const edge = new EdgeServer();
  const { serve, open, head, post } = edge;
  afterEach(edge.close);

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
      expect([answered.status, edge.bodies]).toEqual([200, 1]);
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
      expect(edge.bodies).toBe(0);
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
      expect([answered.status, answered.problem.code, edge.bodies]).toEqual([status, code, 0]);
    });
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
    expect([client.status, edge.bodies]).toEqual([200, 2]);
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
    expect([client.status, client.problem.code, edge.bodies]).toEqual([400, code, 0]);
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
    edge.answer = () => Promise.reject(new MissingScope('memory:write'));
    await post(heavy);
    edge.answer = () => Promise.reject(Object.assign(new Error('bad'), { statusCode: 400 }));
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
    expect([client.status, client.problem.code, edge.bodies]).toEqual([400, code, 0]);
    await client.isClosed();
  });

  it('bounds buffered bytes per tenant, leaves room for others, and releases them', async () => {
    await serve({ TENANT_MAX_BODY_BYTES_IN_FLIGHT: MIB, MAX_BODY_BYTES_IN_FLIGHT: 2 * MIB });
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    edge.answer = () => finished;
    const large = `"${'x'.repeat(0.6 * MIB)}"`;
    const first = open()
      .send(head('/keyed', large.length, 'a'))
      .send(large);
    await vi.waitFor(() => expect(edge.bodies).toBe(1));
    // Announced, and rejected before it is sent.
    const second = await open()
      .send(head('/keyed', large.length, 'a'))
      .answered();
    expect([second.status, second.problem.code]).toEqual([429, 'tenant.bytes_in_flight']);
    for (const tenant of ['b', 'c'])
      open()
        .send(head('/keyed', large.length, tenant))
        .send(large);
    await vi.waitFor(() => expect(edge.bodies).toBe(3));
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
    await vi.waitFor(() => expect(edge.bodies).toBe(4));
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
    await vi.waitFor(async () => expect((await post(`"${chunk}"`)).status).toBe(429));
    gone.end();
    await vi.waitFor(async () => expect((await post(`"${chunk}"`)).status).toBe(200));
  });
});
