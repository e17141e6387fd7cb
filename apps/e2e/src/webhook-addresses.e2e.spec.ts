import { isIPv6 } from 'node:net';
import { eventually, LOOPBACK_HOSTS, REFUSED_ADDRESSES, TRICKY_URLS } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EndpointView, ListView } from './harness/answers.js';
import type { Api } from './harness/api.js';
import { startService, type Service } from './harness/service.js';
import { Stack } from './harness/stack.js';
import {
  nameOf,
  startTrap,
  watchConnections,
  type Trap,
  type WatchedConnections,
} from './harness/watched-connections.js';

interface TestAnswer {
  readonly delivered: boolean;
  readonly reason: string;
}

/** One endpoint per address. */
const MANY = { WEBHOOK_ENDPOINTS_PER_TENANT: '1000' };
const CLOSED = { ...MANY, WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'false', WEBHOOK_ALLOW_CIDRS: '' };
const OPEN = { ...MANY, WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true', WEBHOOK_ALLOW_CIDRS: '0.0.0.0/0,::/0' };
/** Nothing left this installation, and the reason is recorded. */
const STOPPED = /^(blocked_address|invalid_url)$/;
const hostOf = (address: string): string => (isIPv6(address) ? `[${address}]` : address);
const test = async (api: Api, endpointId: string): Promise<TestAnswer> =>
  (await api.request<TestAnswer>('POST', `/v1/webhook-endpoints/${endpointId}/test`)).body;
/** Sends something to every endpoint. */
const startAgent = async (stack: Stack, name: string): Promise<void> => {
  const { id: memoryId } = await stack.api.createMemory({});
  await stack.api.startAgent({ memoryId, actorId: 'ada', sessionId: name }, name);
};
/** Results of the newest attempts, by endpoint id. */
const reasons = async (
  stack: Stack,
): Promise<readonly { readonly endpoint: string; readonly reason: string | null }[]> =>
  stack.inspector.rows(
    `select endpoint_id as endpoint, last_reason as reason from webhook_deliveries order by created_at, endpoint_id`,
  );
const untilAttempted = (stack: Stack, count: number) =>
  eventually(async () => (await reasons(stack)).filter(({ reason }) => reason !== null).length === count, {
    withinMs: 60_000,
    everyMs: 100,
    what: `${count} deliveries were attempted`,
  });

describe('forbidden webhook addresses', () => {
  /** Listens on every address of this machine, both families. */
  let trap: Trap;
  let watched: WatchedConnections;
  let stack: Stack;
  let urls: readonly string[];
  let names: readonly string[];
  const endpoints: EndpointView[] = [];
  const opened: Service[] = [];
  beforeAll(async () => {
    trap = await startTrap('::');
    watched = await watchConnections();
    urls = [
      ...LOOPBACK_HOSTS.map((host) => `http://${host}:${trap.port}/hook`),
      ...REFUSED_ADDRESSES.map((address) => `http://${hostOf(address)}:${trap.port}/`),
      ...TRICKY_URLS.map((url) => url.replace('PORT', String(trap.port))),
    ];
    names = REFUSED_ADDRESSES.flatMap((address) => [
      `http://${nameOf(address)}:${trap.port}/`,
      `https://${nameOf(`1.1.1.1,${address}`)}:${trap.port}/`,
    ]);
    stack = await Stack.start({ settings: { ...CLOSED, ...watched.settings } });
  });
  afterAll(async () => {
    await Promise.all(opened.map((open) => open.end('SIGTERM')));
    await stack?.stop();
    await trap?.close();
    await watched?.forget();
  });

  const startOpenIngest = async (): Promise<Service> => {
    const open = await startService('ingest', { ...stack.settings, ...OPEN });
    opened.push(open);
    return open;
  };
  const expectNoConnection = async (): Promise<void> => {
    expect(await watched.to(trap.port)).toEqual([]);
    expect(trap.connections()).toBe(0);
  };

  it('are more than 150', () => {
    expect(new Set(urls).size).toBeGreaterThanOrEqual(150);
  });

  it('are rejected when an endpoint is created or changed, without a connection', async () => {
    const { id } = await stack.api.createEndpoint('https://hooks.example/', { events: ['memory.deleted'] });
    for (const url of urls) {
      const made = await stack.api.request('POST', '/v1/webhook-endpoints', { body: { url } });
      const changed = await stack.api.request('PATCH', `/v1/webhook-endpoints/${id}`, { body: { url } });
      expect([url, made.status, changed.status]).toEqual([url, 400, 400]);
    }
    // A name is accepted until it is resolved.
    for (const url of names) {
      endpoints.push(await stack.api.createEndpoint(url, { events: ['agent.started'] }));
    }
    expect(
      (await stack.api.request<ListView<object>>('GET', '/v1/webhook-endpoints?limit=1000')).body.items,
    ).toHaveLength(1 + names.length);
    await expectNoConnection();
  });

  it('are rejected when testing an endpoint created while they were allowed', async () => {
    const open = await startOpenIngest();
    const lax = stack.apiOf(open);
    for (const url of urls) {
      const body = { url, events: ['agent.started'] };
      const made = await lax.request<EndpointView>('POST', '/v1/webhook-endpoints', { body });
      if (made.status === 201) {
        endpoints.push(made.body);
        continue;
      }
      // Rejected even then, so store it in another way.
      const endpoint = await lax.createEndpoint('https://hooks.example/', { events: ['agent.started'] });
      await stack.inspector.rows('update webhook_endpoints set url = $2 where endpoint_id = $1', [
        endpoint.id,
        url.replaceAll('\u0000', '%00'), // Postgres cannot hold it as is
      ]);
      endpoints.push(endpoint);
    }
    await open.end('SIGTERM');
    expect(endpoints).toHaveLength(urls.length + names.length);
    for (const { id } of endpoints) {
      expect(await test(stack.api, id)).toMatchObject({ delivered: false, reason: expect.stringMatching(STOPPED) });
    }
    await expectNoConnection();
  });

  it('are rejected on delivery', async () => {
    await startAgent(stack, 'closed');
    await untilAttempted(stack, endpoints.length);
    for (const { reason } of await reasons(stack)) expect(reason).toMatch(STOPPED);
    await expectNoConnection();
  });

  it('would have been reached otherwise, and detected', async () => {
    const open = await startOpenIngest();
    const reached = endpoints.slice(names.length, names.length + LOOPBACK_HOSTS.length);
    for (const { id } of reached) expect(await test(stack.apiOf(open), id)).toMatchObject({ delivered: true });
    await open.end('SIGTERM');
    expect(trap.connections()).toBe(reached.length);
    expect((await watched.to(trap.port)).length).toBeGreaterThanOrEqual(reached.length);
  });
});

/** 127.0.0.2 represents the public internet; everything else on this machine must stay blocked. */
describe('a malicious receiver on an allowed address', () => {
  const REDIRECTS = [301, 302, 303, 307, 308];
  let trap: Trap;
  let receiver: Trap;
  let watched: WatchedConnections;
  let stack: Stack;
  beforeAll(async () => {
    watched = await watchConnections();
    const answer: Parameters<typeof startTrap>[1] = {
      answer: (request, response) => {
        const [, status, location = ''] = /^\/(\d+)\?to=(.*)$/.exec(request.url ?? '') ?? [];
        const headers = { connection: 'close', ...(location === '' ? {} : { location: decodeURIComponent(location) }) };
        response.writeHead(Number(status ?? 204), headers).end();
      },
    };
    receiver = await startTrap('127.0.0.2', answer);
    trap = await startTrap('127.0.0.1', { port: receiver.port });
    const settings = { ...CLOSED, WEBHOOK_ALLOW_CIDRS: '127.0.0.2/32', ...watched.settings };
    stack = await Stack.start({ settings });
  });
  afterAll(async () => {
    await stack?.stop();
    await trap?.close();
    await receiver?.close();
    await watched?.forget();
  });

  /** At least: failures are retried. */
  const expectOnlyReceiver = async (atLeast: number): Promise<void> => {
    expect(trap.connections()).toBe(0);
    expect(receiver.connections()).toBeGreaterThanOrEqual(atLeast);
    expect(new Set(await watched.to(trap.port))).toEqual(new Set(['127.0.0.2']));
  };
  const forgetEndpoints = async (): Promise<void> => {
    await stack.inspector.rows('delete from webhook_endpoints');
  };

  it('is not followed on any redirect, neither by a test nor by a delivery', async () => {
    const targets = ['127.0.0.1', '[::1]', 'localhost', nameOf('127.0.0.1')].map(
      (host) => `http://${host}:${trap.port}/`,
    );
    const made: EndpointView[] = [];
    for (const status of REDIRECTS) {
      for (const target of targets) {
        const url = `http://127.0.0.2:${receiver.port}/${status}?to=${encodeURIComponent(target)}`;
        made.push(await stack.api.createEndpoint(url, { events: ['agent.started'] }));
      }
    }
    for (const { id } of made) expect(await test(stack.api, id)).toMatchObject({ reason: 'redirect' });
    await expectOnlyReceiver(made.length);
    await startAgent(stack, 'redirected');
    await untilAttempted(stack, made.length);
    expect(new Set((await reasons(stack)).map(({ reason }) => reason))).toEqual(new Set(['redirect']));
    await expectOnlyReceiver(2 * made.length);
    await forgetEndpoints();
  });

  it('gains nothing from a name whose address changes after the check', async () => {
    const before = receiver.connections();
    const url = `http://${nameOf('127.0.0.2;127.0.0.1')}:${receiver.port}/`;
    const { id } = await stack.api.createEndpoint(url, { events: ['agent.started'] });
    // The connection uses the checked answer; the next one is checked again.
    expect(await test(stack.api, id)).toMatchObject({ delivered: true });
    expect(await test(stack.api, id)).toMatchObject({ reason: 'blocked_address' });
    await expectOnlyReceiver(before + 1);
    await startAgent(stack, 'first');
    await untilAttempted(stack, 1);
    await startAgent(stack, 'second');
    await untilAttempted(stack, 2);
    expect((await reasons(stack)).map(({ reason }) => reason)).toEqual(['delivered', 'blocked_address']);
    await expectOnlyReceiver(before + 2);
  });
});
