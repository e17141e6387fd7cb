import { APPLICATION_SCOPES, pathParameters, SCOPES, type RouteSpec } from '@turnkeeper/contracts';
import { API_ROUTES } from '@turnkeeper/vendors';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startChatModel, type ChatModelServer } from './chat/chat-model-server.js';
import type { Api } from './harness/api.js';
import { atTheEdges, TEXTS } from './harness/edge-values.js';
import { pathOf, sampleOf, type Belongings } from './harness/route-samples.js';
import { Stack } from './harness/stack.js';
import { furnish } from './harness/tenant-world.js';

/** Concurrent sockets. */
const SENDERS = 8;

let chatModel: ChatModelServer;
let stack: Stack;
let api: Api;
let belongings: Belongings;
beforeAll(async () => {
  chatModel = await startChatModel();
  stack = await Stack.start({ worker: false, settings: { CHAT_MODEL_URL: chatModel.url } });
  const [own] = await stack.inspector.rows<{ id: string }>(`select tenant_id as id from tenants where name = 'acme'`);
  api = stack.apiOf(stack.ingests[0]!, await stack.createKey({ tenant: 'acme', scopes: SCOPES }));
  const spare = await api.request<{ apiKey: string }>('POST', `/v1/admin/tenants/${own!.id}/keys`, {
    body: { scopes: APPLICATION_SCOPES },
  });
  belongings = await furnish(stack, api, 'edge', { tenantId: own!.id, keyId: spare.body.apiKey.split('_')[1]! });
});
afterAll(async () => {
  await stack?.stop();
  await chatModel?.close();
});

interface Probe {
  readonly about: string;
  readonly route: RouteSpec;
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

const probesOf = function* (route: RouteSpec): Generator<Probe> {
  const { path, query, body } = sampleOf(route, belongings);
  const probe = (about: string, value: unknown, more: Partial<Probe>): Probe => ({
    about: `${route.id} ${about} = ${JSON.stringify(value)?.slice(0, 60)}`,
    route,
    path,
    query,
    body,
    ...more,
  });
  for (const name of pathParameters(route)) {
    for (const value of TEXTS) {
      if (value === '' || !value.isWellFormed()) continue;
      yield probe(`path ${name}`, value, { path: pathOf(route, { ...belongings, [name]: value }) });
    }
  }
  if (route.query !== undefined) {
    for (const { field, value, made } of atTheEdges(route.query, query, belongings)) {
      if (typeof value === 'object') continue;
      yield probe(`query ${field}`, value, { query: made as Record<string, unknown> });
    }
  }
  if (route.body !== undefined && route.bodyType === undefined) {
    for (const { field, value, made } of atTheEdges(route.body, body, belongings)) {
      yield probe(`body ${field}`, value, { body: made });
    }
  }
};

const send = async ({ route, path, query, body }: Probe): Promise<{ status: number; body: unknown }> => {
  const search = new URLSearchParams(
    Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
  );
  const url = search.size === 0 ? path : `${path}?${search}`;
  return route.body === undefined || typeof body === 'string'
    ? api.request(route.method, url)
    : api.request(route.method, url, { body });
};

/** Routes that delete or stop something come last, so that the others find it. */
const isFinal = ({ method, id }: RouteSpec): boolean => method === 'DELETE' || /stop|leave|erase|delete/i.test(id);

it('answers every boundary value of every field without an error of its own', async () => {
  const routes = API_ROUTES;
  const faults: string[] = [];
  let sent = 0;
  for (const group of [routes.filter((route) => !isFinal(route)), routes.filter(isFinal)]) {
    const probes = (function* () {
      for (const route of group) yield* probesOf(route);
    })();
    const sender = async (): Promise<void> => {
      for (const probe of probes) {
        const { status, body } = await send(probe);
        sent += 1;
        // 504 is the timeout of a read that waits for something that never comes.
        if (status >= 500 && status !== 504) faults.push(`${status} ${probe.about} ${JSON.stringify(body)}`);
      }
    };
    await Promise.all(Array.from({ length: SENDERS }, sender));
  }
  expect(faults).toEqual([]);
  expect(sent).toBeGreaterThan(2_000);
});
