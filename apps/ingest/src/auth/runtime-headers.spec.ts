import { declaredIn } from '@turnkeeper/contracts';
import { API_ROUTES, OUR_ROUTES, USER_DATA_ROUTES, userDataOf } from '@turnkeeper/vendors';
import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Owners } from './beyond-reach.js';
import { targetOf } from './request-target.js';
import { RuntimeHeaders } from './runtime-headers.js';

const USER = 'x-greennode-agentbase-user-id';
const SESSION = 'x-greennode-agentbase-session-id';
const M = '00000000-0000-4000-8000-00000000000a';
const owners: Owners = {
  strategies: async () => [
    { strategyId: 's1', namespaceTemplate: '/facts/{actorId}' },
    { strategyId: 's2', namespaceTemplate: '/everybody' },
  ],
  namespaceOfRecord: async (_tenant, _memory, recordId) => (recordId === 'gone' ? null : `/facts/${recordId}`),
  agent: async (_tenant, agentId) => (agentId === 'gone' ? null : { memoryId: M, actorId: agentId }),
};
interface Parts {
  readonly id?: string;
  readonly headers?: Record<string, string>;
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly body?: unknown;
}
const check = async ({ id = 'listEvents', ...parts }: Parts, required = false, isOperator = false): Promise<string> => {
  const routeOptions = { config: { spec: { id, scope: 'memory:read' } } };
  const request = { headers: {}, params: {}, query: {}, routeOptions, ...parts } as unknown as FastifyRequest;
  const runtime = new RuntimeHeaders(owners, required);
  try {
    if (!runtime.applyTo(request.headers)) return 'passes';
    const target = targetOf(request);
    const speaker = runtime.speakerOf(request.headers, target.kind, isOperator);
    if (speaker === null) return 'passes';
    await runtime.check(target, { tenantId: 't', memoryId: null, actorId: speaker.user, sessionId: speaker.session });
    return 'passes';
  } catch (error) {
    return (error as { code: string }).code;
  }
};
const both = (user: string, session = 's') => ({ [USER]: user, [SESSION]: session });
const DIFFERS = 'runtime.user_differs';
const MISSING = 'runtime.headers_missing';
const FOR_ONE = 'runtime.not_for_everyone';

describe("the runtime's headers", () => {
  it('are optional unless the installation requires them', async () => {
    const params = { actorId: 'ada', sessionId: 's' };
    expect(await check({ params })).toBe('passes');
    expect(await check({ params }, true)).toBe(MISSING);
    expect(await check({ params }, true, true)).toBe('passes');
    expect(await check({ params, headers: both('eve') }, true, true)).toBe(DIFFERS);
    expect(await check({ id: 'getMemory', params: { memoryId: M } }, true)).toBe('passes');
  });

  it.each(['getRecord', 'getAgent', 'exportMemory', 'agoraQuery', 'agoraList', 'unheardOf'])(
    'are required on routes that reach user data other than by actor: %s',
    async (id) => {
      expect(await check({ id }, true)).toBe(MISSING);
      expect(await check({ id }, true, true)).toBe('passes');
      expect(await check({ id })).toBe('passes');
    },
  );

  it('are sent both or not at all, and are never empty', async () => {
    const params = { actorId: 'ada', sessionId: 's' };
    expect(await check({ params, headers: { [USER]: 'ada' } })).toBe(MISSING);
    expect(await check({ params, headers: { [SESSION]: 's' } })).toBe(MISSING);
    expect(await check({ params, headers: both('ada', '') })).toBe(MISSING);
    expect(await check({ params, headers: both('ada') })).toBe('passes');
  });

  it('must match the user that the route declares: in the path, the query or the body', async () => {
    const params = { memoryId: M };
    const strategy = { longTermMemoryStrategyId: M };
    const named: ((actorId: string, sessionId: string) => Parts)[] = [
      (actorId, sessionId) => ({ id: 'listEvents', params: { ...params, actorId, sessionId } }),
      (actorId, sessionId) => ({ id: 'generateFromSession', params, query: { actorId, sessionId, ...strategy } }),
      (actorId, sessionId) => ({ id: 'startAgent', body: { ...params, actorId, sessionId, name: 'desk' } }),
    ];
    for (const about of named) {
      const headers = both('ada');
      expect(await check({ ...about('eve', 's'), headers })).toBe(DIFFERS);
      expect(await check({ ...about('ada', 't'), headers })).toBe(DIFFERS);
      expect(await check({ ...about('ada', 's'), headers })).toBe('passes');
    }
    expect(await check({ id: 'listAgents', headers: both('ada') })).toBe(DIFFERS);
  });

  it("do not change a memory's settings", async () => {
    for (const id of ['createMemory', 'changeMemory', 'addStrategy', 'changeStrategy', 'deleteStrategy']) {
      expect(await check({ id, params: { memoryId: M }, headers: both('ada') }, true), id).toBe(FOR_ONE);
    }
    expect(await check({ id: 'changeMemory', params: { memoryId: M } }, true)).toBe('passes');
    expect(await check({ id: 'listStrategies', params: { memoryId: M }, headers: both('ada') }, true)).toBe('passes');
  });

  it('restrict namespaces, records and agents to their user', async () => {
    const headers = both('ada');
    const reach = (id: string, parts: Parts) => check({ id, headers, ...parts });
    const params = (parts: Record<string, string>) => ({ params: { memoryId: M, ...parts } });
    for (const id of ['searchRecords', 'listRecords', 'insertRecords']) {
      expect(await reach(id, { query: { namespace: '/facts/ada' } })).toBe('passes');
      expect(await reach(id, { query: { namespace: '/everybody' } })).toBe('passes');
      expect(await reach(id, { query: { namespace: '/facts/bob' } })).toBe(DIFFERS);
      expect(await reach(id, { query: { namespace: '/unheard/of' } })).toBe(DIFFERS);
    }
    expect(await reach('listRecords', { query: { longTermMemoryStrategyId: M } })).toBe(DIFFERS);
    const records = (...namespaces: string[]) => ({
      body: { records: namespaces.map((namespace) => ({ namespace, memory: 'It sails.' })) },
    });
    expect(await reach('batchCreateRecords', records('/facts/ada'))).toBe('passes');
    expect(await reach('batchCreateRecords', records('/facts/ada', '/facts/bob'))).toBe(DIFFERS);
    expect(await reach('batchCreateRecords', { body: { records: [null] } })).toBe('payload.invalid');
    for (const id of ['getRecord', 'correctRecord', 'deleteRecord', 'explainRecord', 'reinstateRecord']) {
      expect(await reach(id, params({ recordId: 'ada' }))).toBe('passes');
      expect(await reach(id, params({ recordId: 'bob' }))).toBe(DIFFERS);
      expect(await reach(id, params({ recordId: 'gone' }))).toBe('passes');
    }
    for (const id of ['getAgent', 'getLlmRequest', 'agoraQuery', 'agoraLeave']) {
      expect(await reach(id, params({ agentId: 'ada' }))).toBe('passes');
      expect(await reach(id, params({ agentId: 'bob' }))).toBe(DIFFERS);
      expect(await reach(id, params({ agentId: 'gone' }))).toBe('passes');
    }
    for (const id of ['exportMemory', 'importMemory', 'findAnswerInMemory', 'listActors', 'createKey', 'agoraJoin']) {
      expect(await reach(id, params({}))).toBe(FOR_ONE);
    }
  });

  it('can be UTF-8', async () => {
    const asLatin1 = Buffer.from('Đạt').toString('latin1');
    expect(await check({ params: { actorId: 'Đạt' }, headers: both(asLatin1) })).toBe('passes');
    expect(await check({ id: 'getAgent', params: { agentId: 'Đạt' }, headers: both(asLatin1) })).toBe('passes');
    const query = { namespace: '/facts/Đạt' };
    expect(await check({ id: 'searchRecords', query, headers: both(asLatin1) })).toBe('passes');
    expect(await check({ params: { actorId: 'André' }, headers: both('André') })).toBe('passes');
  });
});

describe('the table of user data per route', () => {
  it('covers every route that takes a key, and no other', () => {
    const keyed = API_ROUTES.filter(({ scope }) => scope !== null).map(({ id }) => id);
    expect([...USER_DATA_ROUTES].sort()).toEqual(keyed.sort());
  });

  it('knows where every schema declares whom a request is about', () => {
    for (const route of API_ROUTES.filter(({ scope, bodyType }) => scope !== null && bodyType === undefined)) {
      for (const part of ['query', 'body'] as const) {
        const schema = route[part];
        if (schema === undefined) continue;
        const { properties, anyOf = [], oneOf = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
        const names = [properties, ...[...anyOf, ...oneOf].map((one) => one.properties)].flatMap((each) =>
          Object.keys(each ?? {}),
        );
        for (const field of ['memoryId', 'actorId', 'sessionId'] as const) {
          expect(declaredIn(route, field)[part], `${route.id}: ${field} in the ${part}`).toBe(names.includes(field));
        }
      }
    }
  });

  it('uses "actor" only for routes that can name one', () => {
    for (const route of OUR_ROUTES.filter(({ id }) => userDataOf(id) === 'actor')) {
      expect(Object.values(declaredIn(route, 'actorId')), route.id).toContain(true);
    }
  });
});
