import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { selfSigned } from './testing/self-signed.js';
import { listen, type Listener } from './testing/listener.js';
import { createWebhookSender, type WebhookSender, type WebhookSenderOptions } from './webhook-sender.js';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const receiver = async (answer?: RequestListener): Promise<Listener & { url: string }> => {
  const listener = await listen(answer);
  cleanups.push(listener.close);
  return { ...listener, url: `http://127.0.0.1:${listener.port}/hook` };
};
const senderWith = (options: WebhookSenderOptions = {}): WebhookSender => {
  const sender = createWebhookSender({ allowHttp: true, allowPrivate: true, ...options });
  cleanups.push(sender.close);
  return sender;
};
const request = (url: string, body: Buffer | string = '{"a":1}') => ({ url, body, headers: { 'webhook-id': 'msg_1' } });

describe('WebhookSender', () => {
  it('posts body and headers unchanged and returns the status', async () => {
    const { url, received } = await receiver();
    expect(await senderWith().send(request(`${url}?x=1`, 'grüße'))).toEqual({
      kind: 'response',
      status: 204,
      durationMs: expect.any(Number),
    });
    expect(received[0]?.body.toString()).toBe('grüße');
    expect(received[0]?.headers).toMatchObject({ 'webhook-id': 'msg_1', 'content-length': '7' });
  });

  it('returns Retry-After and the sanitized start of the response body', async () => {
    const { url } = await receiver((_, response) => {
      response.writeHead(503, { 'retry-after': '120' }).end(`down\u0000\u001b[31m ${'ä'.repeat(600)}`);
    });
    const outcome = await senderWith().send(request(url));
    expect(outcome).toMatchObject({ kind: 'response', status: 503, retryAfter: '120' });
    const { bodyExcerpt } = outcome as { bodyExcerpt: string };
    expect(bodyExcerpt).toHaveLength(512);
    expect(bodyExcerpt.startsWith('down  [31m ää')).toBe(true);
  });

  it('sends the same bytes on every attempt', async () => {
    const { url, received } = await receiver((_, response) => response.writeHead(500).end());
    const sender = senderWith();
    const body = Buffer.from(JSON.stringify({ text: 'ünïcode ✓ \u2028', n: 1.0, deep: { b: 1, a: 2 } }));
    for (let i = 0; i < 10; i += 1) await sender.send(request(url, body));
    expect(received).toHaveLength(10);
    for (const { body: seen } of received) expect(seen.equals(body)).toBe(true);
  });

  it('reuses its connections', async () => {
    const { url, connections } = await receiver((_, response) => response.writeHead(200).end('{"ok":true}'));
    const sender = senderWith();
    for (let i = 0; i < 20; i += 1) await sender.send(request(url));
    expect(connections()).toBeLessThanOrEqual(2); // a second opens while the first reads its response
  });

  it('does not follow redirects', async () => {
    const target = await receiver();
    const { url } = await receiver((_, response) => response.writeHead(307, { location: target.url }).end());
    expect(await senderWith().send(request(url))).toMatchObject({ kind: 'response', status: 307 });
    expect(target.connections()).toBe(0);
  });

  it('ignores proxy settings of the environment', async () => {
    const proxy = await receiver();
    const { url, received } = await receiver();
    for (const name of ['http_proxy', 'HTTP_PROXY', 'all_proxy']) vi.stubEnv(name, proxy.url);
    try {
      await senderWith().send(request(url));
    } finally {
      vi.unstubAllEnvs();
    }
    expect([received.length, proxy.connections()]).toEqual([1, 0]);
  });
});

describe('a misbehaving receiver', () => {
  it('causes a timeout if it never answers', async () => {
    const { url } = await receiver(() => undefined);
    const outcome = await senderWith({ timeoutMs: 150 }).send(request(url));
    expect(outcome).toMatchObject({ kind: 'failed', code: 'timeout', message: 'no answer within 150 ms' });
    expect(outcome.durationMs).toBeLessThan(5_000);
  });

  it('causes a timeout if its name server or its handshake never answers', async () => {
    const silent = createTcpServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    cleanups.push(() => new Promise((resolve) => silent.close(() => resolve())));
    const { port } = silent.address() as AddressInfo;
    expect(await senderWith({ timeoutMs: 150 }).send(request(`https://127.0.0.1:${port}`))).toMatchObject({
      code: 'timeout',
    });
    const resolve = () => new Promise<never>(() => undefined);
    expect(await senderWith({ timeoutMs: 150, resolve }).send(request('http://slow.example'))).toMatchObject({
      code: 'timeout',
    });
  });

  it('still counts as answered if only its body is slow or breaks', async () => {
    const dawdler = await receiver((_, response) => response.writeHead(200).write('a'));
    const breaker = await receiver((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('abc', () => response.destroy());
    });
    const sender = senderWith();
    const outcomes = await Promise.all([sender.send(request(dawdler.url)), sender.send(request(breaker.url))]);
    expect(outcomes).toMatchObject([
      { kind: 'response', status: 200, bodyExcerpt: 'a' },
      { kind: 'response', status: 200 },
    ]);
  });

  it('cannot make us read an endless response', async () => {
    let written = 0;
    const { url } = await receiver((_, response) => {
      const chunk = Buffer.alloc(65_536, 'x');
      const pour = () => {
        while (!response.destroyed && response.write(chunk)) written += chunk.length;
        response.once('drain', pour);
      };
      pour();
    });
    const outcome = await senderWith().send(request(url));
    expect(outcome).toMatchObject({ kind: 'response', status: 200 });
    expect(written).toBeLessThan(20_000_000);
  });

  it.each([
    ['the port is closed', 'connect', 'http://127.0.0.1:1'.replace(':1', ':{closed}')],
    ['its name does not resolve', 'dns', 'http://nowhere.example'],
    ['it speaks no TLS', 'tls', 'https://127.0.0.1:{open}'],
  ])('is classified when %s', async (_, code, pattern) => {
    const open = await receiver();
    const closed = await listen();
    await closed.close();
    const resolve = () => Promise.reject(Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' }));
    const url = pattern.replace('{open}', String(open.port)).replace('{closed}', String(closed.port));
    expect(await senderWith({ resolve }).send(request(url))).toMatchObject({ kind: 'failed', code });
  });

  it.each([
    ['hangs up', 'network', ''],
    ['speaks no HTTP', 'protocol', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['sends headers without end', 'protocol', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}`],
  ])('is classified when it %s', async (_, code, bytes) => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(bytes));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    cleanups.push(() => new Promise((resolve) => server.close(() => resolve())));
    const { port } = server.address() as AddressInfo;
    expect(await senderWith().send(request(`http://127.0.0.1:${port}`))).toMatchObject({ kind: 'failed', code });
  });

  it('is rejected for a self-signed certificate unless the certificate is trusted', async () => {
    const { createServer } = await import('node:https');
    const { key, cert } = selfSigned('receiver.example');
    const server = createServer({ key, cert }, (_, response) => response.writeHead(204).end());
    server.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    cleanups.push(() => new Promise((resolve) => server.close(() => resolve())));
    const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 as const }]);
    const { port } = server.address() as AddressInfo;
    const url = (host: string) => `https://${host}:${port}/`;
    const trusting = senderWith({ resolve, ca: cert });
    expect(await senderWith({ resolve }).send(request(url('receiver.example')))).toMatchObject({ code: 'tls' });
    expect(await trusting.send(request(url('receiver.example')))).toMatchObject({ kind: 'response', status: 204 });
    expect(await trusting.send(request(url('other.example')))).toMatchObject({ code: 'tls' });
  });
});

describe('aborting', () => {
  it('ends an attempt in progress, and prevents further ones', async () => {
    const { url, connections } = await receiver(() => undefined);
    const sender = senderWith();
    const stop = new AbortController();
    const attempt = sender.send(request(url), stop.signal);
    await vi.waitUntil(() => connections() === 1, 10_000);
    stop.abort();
    expect(await attempt).toMatchObject({ kind: 'failed', code: 'aborted' });
    expect(await sender.send(request(url), stop.signal)).toMatchObject({ code: 'aborted' });
    expect(connections()).toBe(1);
  });
});

describe('a slow endpoint', () => {
  it('does not delay other endpoints, even if half of all attempts hang on it', async () => {
    const slow = await receiver(() => undefined);
    const quick = await receiver();
    const sender = senderWith();
    const stop = new AbortController();
    let ended = 0;
    const hanging = Array.from({ length: 200 }, () =>
      sender.send(request(slow.url), stop.signal).finally(() => (ended += 1)),
    );
    await vi.waitUntil(() => slow.connections() === 64, 10_000);
    const outcomes = await Promise.all(Array.from({ length: 200 }, () => sender.send(request(quick.url))));
    expect(outcomes.filter((outcome) => outcome.kind === 'response')).toHaveLength(200);
    expect(ended).toBe(0); // the others have all finished while these still hang
    expect(slow.connections()).toBe(64); // the limit per origin, however many are waiting
    stop.abort();
    for (const outcome of await Promise.all(hanging)) expect(outcome).toMatchObject({ code: 'aborted' });
  });
});
