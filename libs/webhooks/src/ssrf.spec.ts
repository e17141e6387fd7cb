import { isIPv6, Socket } from 'node:net';
import { LOOPBACK_HOSTS, PUBLIC_ADDRESSES, REFUSED_ADDRESSES, TRICKY_URLS } from '@turnkeeper/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Agent } from 'undici';
import { createAddressGuard } from './address-guard.js';
import { guardedConnector } from './guarded-connector.js';
import type { ResolvedAddress } from './resolver.js';
import { listen, type Listener } from './testing/listener.js';
import { createWebhookSender, type WebhookSender } from './webhook-sender.js';
import { acceptWebhookUrl } from './webhook-url.js';

const answerOf = (address: string): ResolvedAddress => ({ address, family: isIPv6(address) ? 6 : 4 });
const loopback = [answerOf('127.0.0.1'), answerOf('::1')];

/**
 * The name server of this spec: `<address as hex>.dns.example` resolves to that address, `localhost` to this machine.
 */
const nameOf = (address: string) => `a${Buffer.from(address).toString('hex')}.dns.example`;
const resolve = async (hostname: string) =>
  /localhost\.?$/.test(hostname)
    ? loopback
    : [answerOf(Buffer.from(hostname.split('.')[0]!.slice(1), 'hex').toString())];

/** Listens on every address of this machine in both families and counts all connections. */
let trap: Listener;
/** Counts every connection attempt of this process, just before it is made. */
const connecting = vi.fn<(address: string) => void>();
const realConnect = Socket.prototype.connect as (this: Socket, ...args: unknown[]) => Socket;
const connectSpy = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (
  this: Socket,
  ...args: unknown[]
) {
  this.on('connectionAttempt', connecting);
  return realConnect.apply(this, args);
});
let strict: WebhookSender;

beforeAll(async () => {
  trap = await listen(undefined, { host: '::' });
  strict = createWebhookSender({ allowHttp: true, resolve });
});
afterAll(async () => {
  await strict.close();
  await trap.close();
  connectSpy.mockRestore();
});
beforeEach(() => connecting.mockClear());

const attempt = (sender: WebhookSender, url: string) => sender.send({ url, body: '{}', headers: {} });
const expectNoPacket = async (url: string) => {
  const before = trap.connections();
  const outcome = await attempt(strict, url);
  expect(outcome).toMatchObject({ kind: 'failed', code: expect.stringMatching(/^(blocked_address|invalid_url)$/) });
  expect(connecting).not.toHaveBeenCalled();
  expect(trap.connections()).toBe(before);
};
const expectRefusedAtCreation = (url: string) => {
  expect(() => acceptWebhookUrl(url, strict.urlPolicy)).toThrow(
    expect.objectContaining({ code: 'webhook.url_refused' }),
  );
};

it('there are at least 150 vectors', () => {
  const literal = LOOPBACK_HOSTS.length + TRICKY_URLS.length + REFUSED_ADDRESSES.length;
  expect(literal).toBeGreaterThanOrEqual(150);
});

describe.each(LOOPBACK_HOSTS)('this machine as %s', (host) => {
  const url = () => `http://${host}:${trap.port}/hook`;

  it('is refused at creation, and never connected to on send', async () => {
    expectRefusedAtCreation(url());
    await expectNoPacket(url());
  });

  it('would be reachable without the guard', async () => {
    const before = trap.received.length;
    const open = createWebhookSender({ allowHttp: true, allowCidrs: ['0.0.0.0/0', '::/0'], resolve });
    await attempt(open, url());
    await open.close();
    expect(trap.received.length).toBe(before + 1);
    expect(connecting).toHaveBeenCalled();
  });
});

describe.each(TRICKY_URLS)('the URL %j', (pattern) => {
  it('is refused at creation, and never connected to on send', async () => {
    const url = pattern.replace('PORT', String(trap.port));
    expectRefusedAtCreation(url);
    await expectNoPacket(url);
  });
});

describe.each(REFUSED_ADDRESSES)('%s', (address) => {
  it('is never connected to as a literal in a URL', async () => {
    const url = `http://${isIPv6(address) ? `[${address}]` : address}:${trap.port}/`;
    expectRefusedAtCreation(url);
    await expectNoPacket(url);
  });

  it('is never connected to as a DNS answer', async () => {
    await expectNoPacket(`http://${nameOf(address)}:${trap.port}/`);
    await expectNoPacket(`https://${nameOf(address)}:${trap.port}/`);
  });
});

describe('the connector without the URL check', () => {
  it('never connects to a literal address, which needs no DNS query', async () => {
    const connector = guardedConnector({ guard: createAddressGuard(), resolve, timeoutMs: 1_000 });
    const agent = new Agent({ connect: connector });
    const hosts = [
      ...LOOPBACK_HOSTS,
      ...REFUSED_ADDRESSES.map((address) => (isIPv6(address) ? `[${address}]` : address)),
    ];
    for (const host of hosts) {
      for (const scheme of ['http', 'https']) {
        const { origin } = new URL(`${scheme}://${host}:${trap.port}`);
        const request = agent.request({ origin, path: '/', method: 'POST' });
        await expect(request, host).rejects.toMatchObject({ code: 'WEBHOOK_BLOCKED_ADDRESS' });
      }
    }
    await agent.destroy();
    expect(connecting).not.toHaveBeenCalled();
  });
});

describe('the address guard', () => {
  const publicOnly = createAddressGuard();

  it.each(PUBLIC_ADDRESSES)('allows the public address %s', (address) => {
    expect(publicOnly.refusalOf(address)).toBeNull();
    expect(acceptWebhookUrl(`https://${isIPv6(address) ? `[${address}]` : address}/`, strict.urlPolicy)).toMatch(
      /^https/,
    );
  });

  it.each(['', 'localhost', 'fe80::1%lo', '1.2.3.4%lo', '1.2.3', '0x7f.1', '127.0.0.1:80'])(
    'refuses %j, which is not a plain address',
    (text) => expect(publicOnly.refusalOf(text)).toBe('not an address'),
  );

  it('allows private networks if configured, but never cloud metadata addresses', () => {
    const guard = createAddressGuard({ allowPrivate: true });
    for (const address of ['10.0.0.1', '192.168.1.1', '172.16.0.1', '127.0.0.1', '::1', 'fd12::1', '100.64.0.1']) {
      expect(guard.refusalOf(address)).toBeNull();
    }
    for (const address of [
      '169.254.169.254',
      '168.63.129.16',
      '100.100.100.200',
      'fd00:ec2::254',
      'fd20:ce::254',
      'fe80::1',
      '::ffff:127.0.0.1',
      '64:ff9b::a00:1',
      '0.0.0.0',
    ]) {
      expect(guard.refusalOf(address)).not.toBeNull();
    }
  });

  it('allows a configured range and nothing else', () => {
    const guard = createAddressGuard({ allowCidrs: ['10.20.0.0/16', 'fd12::/48'] });
    expect(['10.20.255.1', 'fd12::9'].map((address) => guard.refusalOf(address))).toEqual([null, null]);
    expect(['10.21.0.1', 'fd12:0:1::9', '127.0.0.1'].map((address) => guard.refusalOf(address))).toEqual([
      'private',
      'unique-local',
      'loopback',
    ]);
  });

  it('throws for an invalid range', () => {
    for (const cidr of ['10.0.0.0', '10.0.0.0/33', 'intranet', '']) {
      expect(() => createAddressGuard({ allowCidrs: [cidr] })).toThrow(RangeError);
    }
  });
});

/** 127.0.0.2 represents the public internet here; the trap on all other local addresses represents blocked targets. */
describe('a malicious public receiver', () => {
  const allowCidrs = ['127.0.0.2/32'];
  const withPublic = async (
    run: (context: { url: string; decoy: Listener; sender: WebhookSender; asked: () => number }) => Promise<void>,
    { answers = [[answerOf('127.0.0.2')]], location = '' }: { answers?: ResolvedAddress[][]; location?: string } = {},
    status = 204,
  ) => {
    const decoy = await listen(
      (_, response) =>
        response.writeHead(status, { location, refresh: `0; url=${location}`, connection: 'close' }).end(),
      { host: '127.0.0.2' },
    );
    let asked = 0;
    const sender = createWebhookSender({
      allowHttp: true,
      allowCidrs,
      resolve: async () => answers[Math.min(asked++, answers.length - 1)]!,
    });
    try {
      await run({ url: `http://hooks.example:${decoy.port}/`, decoy, sender, asked: () => asked });
    } finally {
      await sender.close();
      await decoy.close();
    }
  };

  const targets = () =>
    ['127.0.0.1', '[::1]', '0x7f.1', 'localhost', '[::ffff:127.0.0.1]'].map((host) => `http://${host}:${trap.port}/`);
  it.each([301, 302, 303, 307, 308, 300, 304])('cannot redirect to this machine with a %d', async (status) => {
    for (const location of targets()) {
      const before = trap.connections();
      await withPublic(
        async ({ url, sender, decoy }) => {
          expect(await attempt(sender, url)).toMatchObject({ kind: 'response', status });
          expect(decoy.received).toHaveLength(1);
        },
        { location },
        status,
      );
      expect(trap.connections()).toBe(before);
    }
  });

  it('cannot change its address between the check and the connection', async () => {
    const before = trap.connections();
    await withPublic(
      async ({ url, sender, decoy, asked }) => {
        // The checked first answer is used; there is no second query before the connection.
        expect(await attempt(sender, url)).toMatchObject({ kind: 'response', status: 204 });
        expect([asked(), decoy.received.length]).toEqual([1, 1]);
        expect(await attempt(sender, url)).toMatchObject({
          kind: 'failed',
          code: 'blocked_address',
          message: 'the address is refused: loopback',
        });
        expect([asked(), decoy.received.length]).toEqual([2, 1]);
      },
      { answers: [[answerOf('127.0.0.2')], [answerOf('127.0.0.1')]] },
    );
    expect(trap.connections()).toBe(before);
  });

  it('cannot mix a blocked address in among allowed ones', async () => {
    const before = trap.connections();
    for (const answer of [
      [answerOf('127.0.0.2'), answerOf('127.0.0.1')],
      [answerOf('::1'), answerOf('127.0.0.2')],
    ]) {
      await withPublic(
        async ({ url, sender, decoy }) => {
          expect(await attempt(sender, url)).toMatchObject({ code: 'blocked_address' });
          expect(decoy.connections()).toBe(0);
        },
        { answers: [answer] },
      );
    }
    expect(trap.connections()).toBe(before);
  });

  it('cannot use a name of this machine even if a private network is allowed', async () => {
    const before = trap.connections();
    const sender = createWebhookSender({ allowHttp: true, allowCidrs });
    for (const host of ['localhost', 'localhost.', 'a.localhost']) {
      expect(await attempt(sender, `http://${host}:${trap.port}/`)).toMatchObject({ code: 'blocked_address' });
    }
    await sender.close();
    expect(trap.connections()).toBe(before);
  });

  it('fails with dns and no connection if its name has no address', async () => {
    await withPublic(async ({ url, sender }) => expect(await attempt(sender, url)).toMatchObject({ code: 'dns' }), {
      answers: [[]],
    });
  });
});

describe('acceptWebhookUrl', () => {
  const policy = { guard: createAddressGuard() };
  it.each([
    ['https://hooks.example.com/a?b=c', 'https://hooks.example.com/a?b=c'],
    ['HTTPS://Hooks.Example.COM:443', 'https://hooks.example.com/'],
    ['https://hooks.example.com:8443/x', 'https://hooks.example.com:8443/x'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://1.1.1.1/', 'https://1.1.1.1/'],
  ])('stores %s as %s', (given, stored) => expect(acceptWebhookUrl(given, policy)).toBe(stored));

  it.each([
    'http://hooks.example.com/',
    `https://hooks.example.com/${'a'.repeat(2_048)}`,
    'https://hooks.example.com:443a/',
    'https://db.internal/',
    'https://printer.local/',
    'https://',
  ])('refuses %.60s', (given) => {
    expect(() => acceptWebhookUrl(given, policy)).toThrow(expect.objectContaining({ code: 'webhook.url_refused' }));
  });
});
