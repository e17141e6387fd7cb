import { pathParameters, type RouteSpec } from '@turnkeeper/contracts';
import { wholeTenant, type Reach } from '@turnkeeper/domain';
import { API_ROUTES, userDataOf } from '@turnkeeper/vendors';
import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import type { Owners } from './beyond-reach.js';
import { KeyReach } from './key-reach.js';
import { targetOf } from './request-target.js';

const M = '00000000-0000-4000-8000-00000000000a';
const N = '00000000-0000-4000-8000-00000000000b';
const A_STRATEGY = '00000000-0000-4000-8000-00000000000c';

/** A memory `M` with an agent of Ada's; record ids are used as namespaces. */
const owners: Owners = {
  strategies: async () => [
    { strategyId: 's1', namespaceTemplate: '/facts/{actorId}' },
    { strategyId: 's2', namespaceTemplate: '/everybody' },
    { strategyId: 's3', namespaceTemplate: '/calls/{sessionId}' },
    { strategyId: 's4', namespaceTemplate: '/pairs/{actorId}-{sessionId}' },
  ],
  namespaceOfRecord: async (_tenant, _memory, recordId) => (recordId === 'gone' ? null : recordId),
  agent: async (_tenant, agentId) => (agentId === 'gone' ? null : { memoryId: M, actorId: 'ada' }),
};

interface Parts {
  readonly params?: Record<string, string>;
  readonly query?: Record<string, unknown>;
  readonly body?: unknown;
}
const check = async (reach: Partial<Reach>, route: Pick<RouteSpec, 'id' | 'method'>, parts: Parts): Promise<string> => {
  const routeOptions = { config: { spec: route } };
  const request = { method: route.method, params: {}, query: {}, routeOptions, ...parts };
  try {
    const target = targetOf(request as unknown as FastifyRequest);
    await new KeyReach(owners).check(target, { ...wholeTenant('t'), ...reach });
    return 'passes';
  } catch (error) {
    return (error as { code: string }).code;
  }
};
const REFUSED = 'auth.out_of_reach';
const VALUES: Readonly<Record<string, string>> = { memoryId: M, actorId: 'ada', recordId: '/facts/ada', agentId: 'a' };

/** What each route that reads its subject from its query or body needs beside it. */
const QUERIES: Readonly<Record<string, Record<string, unknown>>> = {
  listAgents: { memoryId: M, actorId: 'ada' },
  listRecentSessions: { actorId: 'ada' },
  restoreActor: { memoryId: M },
  callMcp: { actorId: 'ada' },
  generateFromContent: { actorId: 'ada', longTermMemoryStrategyId: A_STRATEGY },
  generateFromSession: { actorId: 'ada', sessionId: 's', longTermMemoryStrategyId: A_STRATEGY },
  deleteThreadCheckpoints: { sessionId: 's' },
};
const BODIES: Readonly<Record<string, unknown>> = {
  startAgent: { memoryId: M, actorId: 'ada', sessionId: 's', name: 'desk' },
  restoreActorFromBody: { memoryId: M },
  batchCreateRecords: { records: [{ namespace: '/facts/ada', memory: 'Ada sails.' }] },
  buildContext: {},
  deleteRecords: { actorId: 'ada' },
  replayParkedWindows: {},
  searchMemoryCheckpoints: {},
};

/** A request to the route about Ada in the memory `M`. */
const aboutAda = (route: RouteSpec): Parts => {
  const params = Object.fromEntries(pathParameters(route).map((name) => [name, VALUES[name] ?? 'x']));
  const isRecords = userDataOf(route.id) === 'namespace';
  return {
    params,
    query: QUERIES[route.id] ?? (isRecords ? { namespace: '/facts/ada' } : {}),
    body: BODIES[route.id],
  };
};
const KEYED = API_ROUTES.filter(({ scope }) => scope !== null);
const hasMemory = (route: RouteSpec): boolean => pathParameters(route).includes('memoryId');
const namesMemory = (route: RouteSpec): boolean => {
  const { query, body } = aboutAda(route);
  return hasMemory(route) || 'memoryId' in { ...query, ...(body as object | undefined) };
};

describe.each(KEYED.map((route) => [route.id, route] as const))('a restricted key and %s', (_, route) => {
  const kind = userDataOf(route.id);

  it('for another memory or actor is rejected', async () => {
    expect(await check({}, route, aboutAda(route))).toBe(kind === 'operator' ? REFUSED : 'passes');
    // The handler of a `resolved` route checks; the matrix of restricted keys tests it.
    const isOpen = kind === 'tenant' || kind === 'resolved';
    const expected = isOpen ? 'passes' : REFUSED;
    expect(await check({ memoryId: N }, route, aboutAda(route))).toBe(expected);
    expect(await check({ memoryId: N, actorId: 'ada' }, route, aboutAda(route))).toBe(expected);
    if (kind !== 'none' || !hasMemory(route)) {
      expect(await check({ actorId: 'bob' }, route, aboutAda(route))).toBe(expected);
    }
  });

  it('for this memory or actor reaches its own data, and no shared data', async () => {
    const isOne = namesMemory(route) || kind === 'agent';
    const isOpen = kind === 'tenant' || kind === 'resolved';
    const ofMemory = isOpen || (isOne && kind !== 'operator');
    expect(await check({ memoryId: M }, route, aboutAda(route))).toBe(ofMemory ? 'passes' : REFUSED);
    const isPersonal = ['actor', 'agent', 'namespace', 'namespaces', 'record'].includes(kind) || isOpen;
    const ofActor = isPersonal || (kind === 'none' && hasMemory(route));
    expect(await check({ actorId: 'ada' }, route, aboutAda(route))).toBe(ofActor ? 'passes' : REFUSED);
  });
});

const route = (id: string) => KEYED.find((each) => each.id === id)!;

describe('a key of one actor', () => {
  const ada = { actorId: 'ada' };
  const params = { memoryId: M };
  const record = (namespace: string) => ({ namespace, memory: 'It sails.' });

  it.each<[string, string, Parts]>([
    ['no actor', 'listAgents', { query: {} }],
    ['another namespace', 'listRecords', { params, query: { namespace: '/facts/bob' } }],
    ['a shared namespace', 'listRecords', { params, query: { namespace: '/everybody' } }],
    ['the namespace of a session', 'listRecords', { params, query: { namespace: '/calls/monday' } }],
    ['a namespace that may be that of two actors', 'listRecords', { params, query: { namespace: '/pairs/ada-b-7' } }],
    ['a record of another', 'getRecord', { params: { ...params, recordId: '/facts/bob' } }],
    [
      'a record of another among its own',
      'batchCreateRecords',
      { params, body: { records: [record('/facts/ada'), record('/facts/bob')] } },
    ],
    ['the settings of a memory', 'changeMemory', { params, body: { name: 'other' } }],
  ])('is refused %s', async (_, id, parts) => {
    expect(await check(ada, route(id), parts)).toBe(REFUSED);
  });

  it('gets not-found errors from the route itself', async () => {
    expect(await check(ada, route('getAgent'), { params: { agentId: 'gone' } })).toBe('passes');
    expect(await check(ada, route('getRecord'), { params: { memoryId: M, recordId: 'gone' } })).toBe('passes');
  });

  it('gets the errors of invalid input from the schema', async () => {
    expect(await check(ada, route('listAgents'), { query: { actorId: ['ada', 'bob'] } })).toBe('payload.invalid');
    expect(await check(ada, route('batchCreateRecords'), { params, body: { records: [] } })).toBe('payload.invalid');
    expect(await check(ada, route('listRecords'), { params, query: { actor: 'ada' } })).toBe('payload.invalid');
  });
});

describe('a name in a place that the route does not declare', () => {
  it('says nothing about what the request is about', async () => {
    const parts = { params: { actorId: 'ada' }, query: { memoryId: M }, body: { memoryId: M } };
    expect(await check({ memoryId: M }, route('deleteActorEverywhere'), parts)).toBe(REFUSED);
    expect(await check({ memoryId: M }, route('agoraJoin'), { body: { memoryId: M } })).toBe(REFUSED);
    expect(await check({ actorId: 'ada' }, route('listActors'), { params: { memoryId: M }, body: parts.params })).toBe(
      REFUSED,
    );
  });

  it('is rejected on a route missing from the table', async () => {
    const params = { agentName: 'x' };
    expect(await check({ memoryId: M }, { id: 'unheardOf', method: 'GET' }, { params })).toBe(REFUSED);
  });
});
