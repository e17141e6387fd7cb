import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RouteSpec } from '@turnkeeper/contracts';
import { userDataOf } from '@turnkeeper/vendors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repeats, startChatModel, type ChatModelServer } from './chat/chat-model-server.js';
import { turn, type Api } from './harness/api.js';
import {
  aboutForeign,
  findsMarker,
  REACH_ROUTES,
  withOneForeignName,
  type Breach,
  type Restriction,
} from './harness/reach-matrix.js';
import { furnishReach, SHARED_MARKER, type Cell, type ReachWorld } from './harness/reach-world.js';
import { rowsBeyond } from './harness/rows-in-reach.js';
import { Stack } from './harness/stack.js';

const SCOPES = [
  ...['memory:read', 'memory:write', 'agents:read', 'agents:write', 'webhooks:admin', 'vendors:admin', 'audit:read'],
];
const DELIVERY = '00000000-0000-4000-8000-000000000001';

/** As a worker does, with a body that holds the marker of the agent's cell. */
const planDeliveries = async (stack: Stack, { cells }: ReachWorld): Promise<void> => {
  for (const [at, { marker, belongings }] of Object.values(cells).entries()) {
    await stack.inspector.rows(
      `insert into webhook_deliveries (delivery_id, tenant_id, endpoint_id, event_type, cause_event_id, agent_id, message_id,
                                       body, status)
       select $4, tenant_id, $1, 'agent.history', gen_random_uuid(), agent_id, $3, convert_to($3, 'UTF8'), 'parked'
         from agents where agent_id = $2`,
      [belongings['endpointId'], belongings['agentId'], marker, at === 0 ? DELIVERY : randomUUID()],
    );
  }
};

interface Ready {
  readonly stack: Stack;
  readonly chatModel: ChatModelServer;
  readonly world: ReachWorld;
  readonly restrictions: Readonly<Record<'ofMemory' | 'ofActor' | 'ofBoth' | 'ofSession', Restriction>>;
}

const begin = async (settings: Readonly<Record<string, string>> = {}): Promise<Ready> => {
  const chatModel = await startChatModel();
  chatModel.behave(repeats);
  const stack = await Stack.start({ worker: false, settings: { CHAT_MODEL_URL: chatModel.url, ...settings } });
  const operator = stack.apiOf(stack.ingests[0]!, await stack.createKey({ tenant: 'operators', scopes: ['admin'] }));
  const [own] = await stack.inspector.rows<{ id: string }>(`select tenant_id as id from tenants where name = 'acme'`);
  const { id: endpointId } = await stack.api.createEndpoint('http://127.0.0.1:59999/hook');
  const names = { endpointId, deliveryId: DELIVERY, vendor: 'agora', appId: 'app-1' };
  const world = await furnishReach(stack.api, names);
  await planDeliveries(stack, world);
  const { aAlice, aBob, bAlice, bBob } = world.cells;
  const keyFor = async (reach: object): Promise<Api> => {
    const { body } = await operator.request<{ apiKey: string }>('POST', `/v1/admin/tenants/${own!.id}/keys`, {
      body: { scopes: SCOPES, ...reach },
    });
    return stack.apiOf(stack.ingests[0]!, body.apiKey);
  };
  const runtime = { 'x-greennode-agentbase-user-id': 'alice', 'x-greennode-agentbase-session-id': 'sa' };
  const ofBob = [aBob.marker, bBob.marker];
  const restrictions = {
    ofMemory: {
      name: 'a key of one memory',
      api: await keyFor({ memoryId: world.memories.a }),
      own: aAlice,
      foreign: [bAlice],
      secret: [bAlice.marker, bBob.marker],
    },
    ofActor: {
      name: 'a key of one actor',
      api: await keyFor({ actorId: 'alice' }),
      own: aAlice,
      foreign: [aBob],
      secret: [...ofBob, SHARED_MARKER],
    },
    ofBoth: {
      name: 'a key of one memory and actor',
      api: await keyFor({ memoryId: world.memories.a, actorId: 'alice' }),
      own: aAlice,
      foreign: [aBob, bAlice],
      secret: [...ofBob, bAlice.marker, SHARED_MARKER],
    },
    ofSession: {
      name: "the runtime's headers",
      api: stack.api.with(runtime),
      own: aAlice,
      foreign: [aBob],
      secret: ofBob,
    },
  };
  return { stack, chatModel, world, restrictions };
};

/** Fewer than `TENANT_WORK_SLOTS`, so that no request is refused for being one of too many. */
const AT_ONCE = 3;

/** The routes of which a caller finds the marker of the cell, in the given order. */
const findable = async (api: Api, routes: readonly RouteSpec[], cell: Cell): Promise<string[]> => {
  const found = new Set<string>();
  const left = [...routes];
  const work = async (): Promise<void> => {
    for (let route = left.pop(); route !== undefined; route = left.pop()) {
      if (await findsMarker(api, route, cell)) found.add(route.id);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return routes.map(({ id }) => id).filter((id) => found.has(id));
};

/**
 * What every route lets a caller reach beyond its restriction. Deletions come last: a successful one would take from
 * the other callers what they must not find, or their keys.
 */
const breaches = async ({ restrictions }: Ready): Promise<Breach[]> => {
  const found: Breach[] = [];
  for (const isLast of [false, true]) {
    for (const restriction of Object.values(restrictions)) {
      const left = REACH_ROUTES.filter(({ method }) => (method === 'DELETE') === isLast);
      const work = async (): Promise<void> => {
        for (let route = left.pop(); route !== undefined; route = left.pop()) {
          found.push(...(await aboutForeign(restriction, route)), ...(await withOneForeignName(restriction, route)));
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    }
  }
  return found;
};

/** What is foreign to some caller, as an unrestricted key reads it. */
const contents = async ({ stack, world }: Ready): Promise<string[]> => {
  const texts = await Promise.all(
    Object.values(world.memories).map(
      async (id) => (await stack.api.request<string>('GET', `/v1/memories/${id}/export`)).body,
    ),
  );
  return texts
    .join('\n')
    .split('\n')
    .filter((line) => line.includes(world.cells.aBob.marker) || line.includes('Kq7b'));
};

describe('what a restricted caller reaches, on every route', () => {
  let ready: Ready;
  let before: string[];
  beforeAll(async () => {
    ready = await begin();
    before = await contents(ready);
  });
  afterAll(async () => {
    await ready.stack.stop();
    await ready.chatModel.close();
  });

  it('would be found: an unrestricted key reads the same', async () => {
    const { world, stack } = ready;
    const reads = REACH_ROUTES.filter(({ scope }) => scope!.endsWith(':read'));
    expect((await findable(stack.api, reads, world.cells.aBob)).length).toBeGreaterThan(18);
    expect(before.length).toBeGreaterThan(8);
  });

  it('includes all of its own', async () => {
    const { restrictions, stack } = ready;
    const personal = REACH_ROUTES.filter(
      ({ id, scope }) => scope!.endsWith(':read') && !['everyone', 'operator'].includes(userDataOf(id)),
    );
    const { own } = restrictions.ofBoth;
    const all = await findable(stack.api, personal, own);
    expect(all).toEqual(expect.arrayContaining(['listRecords', 'explainRecord', 'searchActorTurns', 'buildContext']));
    for (const { api } of [restrictions.ofMemory, restrictions.ofActor, restrictions.ofBoth]) {
      expect(await findable(api, personal, own)).toEqual(all);
    }
  });

  it('is all that the database shows its statements, whatever they select', async () => {
    const { stack, world, restrictions } = ready;
    const [{ id: tenantId } = { id: '' }] = await stack.inspector.rows<{ id: string }>(
      `select tenant_id as id from tenants where name = 'acme'`,
    );
    const url = stack.settings['DATABASE_URL']!;
    const beyond = (reach: { memoryId: string | null; actorId: string | null }, secret: readonly string[]) =>
      rowsBeyond(url, { tenantId, ...reach }, secret);
    const { ofMemory, ofActor, ofBoth } = restrictions;
    const memoryId = world.memories.a;
    // Otherwise it would prove nothing.
    const planted = await beyond({ memoryId: null, actorId: null }, ofBoth.secret);
    for (const table of ['connector_notices', 'events', 'graph_items', 'records', 'webhook_deliveries']) {
      expect(planted).toContain(`${table}: content`);
    }
    expect(await beyond({ memoryId, actorId: null }, ofMemory.secret)).toEqual([]);
    expect(await beyond({ memoryId: null, actorId: 'alice' }, ofActor.secret)).toEqual([]);
    expect(await beyond({ memoryId, actorId: 'alice' }, ofBoth.secret)).toEqual([]);
  });

  it('is only its own, whatever else a request names', async () => {
    expect(await breaches(ready)).toEqual([]);
    expect(await contents(ready)).toEqual(before);
  });

  it('is not what a strategy makes of the content of others', async () => {
    const { world, restrictions } = ready;
    const { api } = restrictions.ofActor;
    const generate = async (path: string, strategyId: string, sessionId: string, body?: object) => {
      const query = new URLSearchParams({ actorId: 'alice', sessionId, longTermMemoryStrategyId: strategyId });
      const records = `/memory/memories/${world.memories.a}/memory-records`;
      return (await api.request('POST', `${records}:${path}?${query}`, body === undefined ? {} : { body })).status;
    };
    const body = { chatMessages: [{ role: 'user', content: 'Bob owes me a boat.' }] };
    const { facts, ofSession, shared } = world.strategies;
    for (const [strategyId, status] of [
      [facts, 200],
      [ofSession, 403],
      [shared, 403],
    ] as const) {
      expect(await generate('generate-from-content', strategyId, 'sb', body)).toBe(status);
      expect(await generate('generate-from-session', strategyId, 'sa')).toBe(status);
    }
  });

  it('holds for an agent in a session of the same name, and for the tools of MCP', async () => {
    const { world, restrictions } = ready;
    const memoryId = world.memories.a;
    for (const { api, secret } of [restrictions.ofActor, restrictions.ofBoth]) {
      const agent = await api.startAgent(
        { memoryId, actorId: 'alice', sessionId: 'sb' },
        `desk of ${api.apiKey!.slice(3, 9)}`,
      );
      const call = (name: string, input: object) => ({
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } },
      });
      const answers = await Promise.all([
        api.request('GET', `/v1/agents/${agent.id}/llm-request`),
        api.request(
          'POST',
          `/mcp/${memoryId}?actorId=alice`,
          call('get_context', { query: 'the boat', sessionId: 'sb' }),
        ),
        api.request('POST', `/mcp/${memoryId}?actorId=alice`, call('recall', { query: 'the code of the boat' })),
        api.request(
          'POST',
          `/mcp/${memoryId}?actorId=alice`,
          call('explain_record', { recordId: world.cells.aBob.belongings['recordId'] }),
        ),
        api.request('POST', `/mcp/${memoryId}?actorId=bob`, call('get_context', { query: 'the boat' })),
      ]);
      const texts = answers.map(({ body }) => JSON.stringify(body));
      for (const text of texts) for (const marker of secret) expect(text).not.toContain(marker);
      expect(texts.slice(0, 3).join()).toContain(world.cells.aAlice.marker);
    }
  });

  it('can be changed and erased', async () => {
    const { restrictions, stack } = ready;
    const { api, own } = restrictions.ofBoth;
    const { memoryId, actorId, sessionId, recordId } = own.belongings as Record<string, string>;
    const actor = `/memory/memories/${memoryId}/actors/${actorId}`;
    const session = { memoryId: memoryId!, actorId: actorId!, sessionId: 'later' };
    const { eventId } = await api.append(session, turn('user', 'I have a kite.'));
    const records = `/memory/memories/${memoryId}/memory-records`;
    const namespace = encodeURIComponent(own.belongings['namespace']!);
    for (const [method, path, body] of [
      ['POST', `${records}:insert-directly?namespace=${namespace}`, { memoryRecords: ['Alice has a kite.'] }],
      ['PATCH', `${records}/${recordId}`, { memory: 'The code is lost.' }],
      ['DELETE', `${records}/${recordId}`, undefined],
      ['DELETE', `${actor}/sessions/later/events/${eventId}`, undefined],
      ['DELETE', `${actor}/sessions/${sessionId}`, undefined],
      ['DELETE', actor, undefined],
    ] as const) {
      const answer = await api.request(method, path, body === undefined ? {} : { body });
      expect([method, path, answer.status]).toEqual([method, path, 200]);
    }
    expect((await stack.api.request('GET', actor)).status).toBe(404);
    // Also what the role of the key reaches only through a connector or an agent.
    const [left] = await stack.inspector.rows(
      `select (select count(*) from connector_notices where position(convert_to($1, 'UTF8') in body) > 0)::int as callbacks,
              (select count(*) from webhook_deliveries where position(convert_to($1, 'UTF8') in body) > 0)::int as deliveries`,
      [own.marker],
    );
    expect(left).toEqual({ callbacks: 0, deliveries: 0 });
  });

  it('rejects a body where the route declares none', async () => {
    const { stack, world } = ready;
    const body = { memoryId: world.memories.a };
    for (const [method, path] of [
      ['DELETE', '/v1/actors/nobody'],
      ['POST', `/v1/webhook-endpoints/${world.cells.aBob.belongings['endpointId']}/pause`],
    ] as const) {
      const answer = await stack.api.request(method, path, { body });
      expect(answer).toMatchObject({ status: 400, body: { code: 'body.not_accepted' } });
      expect((await stack.api.request(method, path, { body: {} })).status).not.toBe(400);
    }
  });
});

describe('a route whose reach is declared wrongly', () => {
  const found = {
    agoraAppend: 'none',
    batchGraphStore: 'tenant',
    changeMemory: 'none',
    deleteRecord: 'none',
    getAgentHistory: 'none',
    getRecord: 'none',
    getRecordDeletion: 'none',
    getWebhookDelivery: 'tenant',
    listAuditLog: 'tenant',
    listConnectorNotices: 'tenant',
    listRecords: 'tenant',
    sendWebhookDeliveriesNow: 'tenant',
    stopAgent: 'none',
  };
  /** Their use cases require the reach of the caller, and refuse on their own. */
  const refused = { deleteActorEverywhere: 'tenant', exportMemory: 'none', searchMemoryTurns: 'none' };
  let ready: Ready;
  beforeAll(async () => {
    const preload = pathToFileURL(join(import.meta.dirname, 'harness', 'declared-wrongly.mjs')).href;
    ready = await begin({
      NODE_OPTIONS: `--import ${preload}`,
      DECLARED_WRONGLY: JSON.stringify({ ...found, ...refused }),
    });
  });
  afterAll(async () => {
    await ready.stack.stop();
    await ready.chatModel.close();
  });

  it('is found, unless its use case refuses what the caller does not reach', async () => {
    const reached = await breaches(ready);
    expect([...new Set(reached.map(({ route }) => route))].sort()).toEqual(Object.keys(found));
    // Row-level security hides what such a key does not reach. The runtime's headers have no rows of their own.
    const read = reached.filter(({ route }) => ['getRecord', 'getAgentHistory'].includes(route));
    expect(read.filter(({ what }) => what.startsWith('a key'))).toEqual([]);
  });
});
