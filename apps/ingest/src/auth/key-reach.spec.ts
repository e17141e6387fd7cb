import { pathParameters, type RouteSpec } from '@turnkeeper/contracts';
import { API_ROUTES, userDataOf } from '@turnkeeper/vendors';
import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import type { Caller } from './caller.js';
import { KeyReach } from './key-reach.js';
import type { Owners } from './request-subjects.js';

/** A memory `m` with an agent of Ada's; record ids are used as namespaces. */
const owners: Owners = {
  strategies: async () => [
    { strategyId: 's1', namespaceTemplate: '/facts/{actorId}' },
    { strategyId: 's2', namespaceTemplate: '/everybody' },
  ],
  namespaceOfRecord: async (_tenant, _memory, recordId) => (recordId === 'gone' ? null : recordId),
  agent: async (_tenant, agentId) => (agentId === 'gone' ? null : { memoryId: 'm', actorId: 'ada' }),
};

interface Parts {
  readonly params?: Record<string, string>;
  readonly query?: Record<string, unknown>;
  readonly body?: unknown;
}
const check = async (
  reach: Partial<NonNullable<Caller['reach']>> | undefined,
  route: Pick<RouteSpec, 'id' | 'method'>,
  parts: Parts,
): Promise<string> => {
  const caller: Caller = {
    tenantId: 't',
    keyId: 'k',
    scopes: [],
    ...(reach === undefined ? {} : { reach: { memoryId: null, actorId: null, ...reach } }),
  };
  const routeOptions = { config: { spec: route } };
  const request = { method: route.method, params: {}, query: {}, routeOptions, ...parts };
  try {
    await new KeyReach(owners).check(request as unknown as FastifyRequest, caller);
    return 'passes';
  } catch (error) {
    return (error as { code: string }).code;
  }
};
const REFUSED = 'auth.out_of_reach';
const VALUES: Readonly<Record<string, string>> = {
  memoryId: 'm',
  actorId: 'ada',
  recordId: '/facts/ada',
  agentId: 'a',
};

/** A request to the route about Ada in the memory `m`. */
const aboutAda = (route: RouteSpec): Parts => {
  const params = Object.fromEntries(pathParameters(route).map((name) => [name, VALUES[name] ?? 'x']));
  const said = { memoryId: 'm', actorId: 'ada', namespace: '/facts/ada', records: [{ namespace: '/facts/ada' }] };
  return { params, query: said, body: said };
};
const KEYED = API_ROUTES.filter(({ scope }) => scope !== null);
const isOfTheTenant = ({ id }: RouteSpec): boolean => id === 'getLimits' || id === 'listErasureKeys';
const hasMemory = (route: RouteSpec): boolean => pathParameters(route).includes('memoryId');

describe.each(KEYED.map((route) => [route.id, route] as const))('a restricted key and %s', (_, route) => {
  const kind = userDataOf(route.id);

  it('for another memory or actor is rejected', async () => {
    expect(await check(undefined, route, aboutAda(route))).toBe('passes');
    const expected = isOfTheTenant(route) ? 'passes' : REFUSED;
    expect(await check({ memoryId: 'n' }, route, aboutAda(route))).toBe(expected);
    expect(await check({ memoryId: 'n', actorId: 'ada' }, route, aboutAda(route))).toBe(expected);
    expect(await check({ actorId: 'bob' }, route, aboutAda(route))).toBe(expected);
  });

  it('for this memory or actor reaches its own data, and no shared data', async () => {
    const isOne = hasMemory(route) || kind === 'actor' || kind === 'agent';
    const ofMemory = isOfTheTenant(route) || (isOne && kind !== 'operator');
    expect(await check({ memoryId: 'm' }, route, aboutAda(route))).toBe(ofMemory ? 'passes' : REFUSED);
    const isPersonal = !['none', 'everyone', 'operator'].includes(kind);
    const ofActor =
      isOfTheTenant(route) || isPersonal || (kind === 'none' && route.method === 'GET' && hasMemory(route));
    expect(await check({ actorId: 'ada' }, route, aboutAda(route))).toBe(ofActor ? 'passes' : REFUSED);
  });
});

describe('a key of one actor', () => {
  const route = (id: string) => KEYED.find((each) => each.id === id)!;
  const ada = { actorId: 'ada' };

  it.each<[string, string, Parts]>([
    ['another actor beside its own', 'listEvents', { params: { actorId: 'ada' }, query: { actorId: 'bob' } }],
    ['two actors in one parameter', 'listAgents', { query: { actorId: ['ada', 'bob'] } }],
    ['no actor', 'listAgents', { query: {} }],
    ['another namespace', 'listRecords', { params: { memoryId: 'm' }, query: { namespace: '/facts/bob' } }],
    ['a shared namespace', 'listRecords', { params: { memoryId: 'm' }, query: { namespace: '/everybody' } }],
    ['no namespace', 'listRecords', { params: { memoryId: 'm' } }],
    ['a record of another', 'getRecord', { params: { memoryId: 'm', recordId: '/facts/bob' } }],
    [
      'a record of another among its own',
      'batchCreateRecords',
      { params: { memoryId: 'm' }, body: { records: [{ namespace: '/facts/ada' }, { namespace: '/facts/bob' }] } },
    ],
    ['no records', 'batchCreateRecords', { params: { memoryId: 'm' }, body: { records: [] } }],
  ])('is refused %s', async (_, id, parts) => {
    expect(await check(ada, route(id), parts)).toBe(REFUSED);
  });

  it('gets not-found errors from the route itself', async () => {
    expect(await check(ada, route('getAgent'), { params: { agentId: 'gone' } })).toBe('passes');
    expect(await check(ada, route('getRecord'), { params: { memoryId: 'm', recordId: 'gone' } })).toBe('passes');
  });
});

describe('a key of one memory', () => {
  it('is rejected on a route missing from the table, and with a field that its route ignores', async () => {
    const params = { agentName: 'x' };
    expect(await check({ memoryId: 'm' }, { id: 'unheardOf', method: 'GET' }, { params })).toBe(REFUSED);
    const join = { id: 'agoraJoin', method: 'POST' } as const;
    expect(await check({ memoryId: 'm' }, join, { body: { memoryId: 'm' } })).toBe(REFUSED);
  });
});
