import { API_ROUTES, OUR_ROUTES, USER_DATA_ROUTES, userDataOf } from '@turnkeeper/vendors';
import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import type { Owners } from './request-subjects.js';
import { RuntimeHeaders } from './runtime-headers.js';

const USER = 'x-greennode-agentbase-user-id';
const SESSION = 'x-greennode-agentbase-session-id';
const owners: Owners = {
  strategies: async () => [
    { strategyId: 's1', namespaceTemplate: '/facts/{actorId}' },
    { strategyId: 's2', namespaceTemplate: '/everybody' },
  ],
  namespaceOfRecord: async (_tenant, _memory, recordId) => (recordId === 'gone' ? null : `/facts/${recordId}`),
  agent: async (_tenant, agentId) => (agentId === 'gone' ? null : { memoryId: 'm', actorId: agentId }),
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
  const request = { headers: {}, params: {}, query: {}, tenantId: 't', routeOptions, ...parts };
  try {
    await new RuntimeHeaders(owners, required).check(request as unknown as FastifyRequest, isOperator);
    return 'passes';
  } catch (error) {
    return (error as { code: string }).code;
  }
};
const both = (user: string, session = 's') => ({ [USER]: user, [SESSION]: session });
const DIFFERS = 'runtime.user_differs';
const MISSING = 'runtime.headers_missing';

describe("the runtime's headers", () => {
  it('are optional unless the installation requires them', async () => {
    const params = { actorId: 'ada', sessionId: 's' };
    expect(await check({ params })).toBe('passes');
    expect(await check({ params }, true)).toBe(MISSING);
    expect(await check({ params }, true, true)).toBe('passes');
    expect(await check({ params, headers: both('eve') }, true, true)).toBe(DIFFERS);
    expect(await check({ id: 'getMemory', params: { memoryId: 'm' } }, true)).toBe('passes');
  });

  it.each(['getRecord', 'getAgent', 'searchRecords', 'exportMemory', 'agoraQuery', 'agoraList', 'unheardOf'])(
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

  it('must match the user in the path, the query and the body', async () => {
    for (const where of ['params', 'query', 'body']) {
      expect(await check({ [where]: { actorId: 'eve', sessionId: 's' }, headers: both('ada') })).toBe(DIFFERS);
      expect(await check({ [where]: { actorId: 'ada', sessionId: 't' }, headers: both('ada') })).toBe(DIFFERS);
      expect(await check({ [where]: { actorId: 'ada' }, headers: both('ada') })).toBe('passes');
    }
    const body = { actorId: 'eve' };
    expect(await check({ id: 'getMemory', body, headers: both('ada') })).toBe(DIFFERS);
    expect(await check({ params: { actorId: 'ada' }, body, headers: both('ada') })).toBe(DIFFERS);
    expect(await check({ body }, true)).toBe(MISSING);
    for (const other of [null, 'text', [], { actorId: undefined }]) {
      expect(await check({ id: 'getMemory', body: other, headers: both('ada') })).toBe('passes');
      expect(await check({ id: 'listAgents', body: other, headers: both('ada') })).toBe(DIFFERS);
    }
  });

  it('restrict namespaces, records and agents to their user', async () => {
    const headers = both('ada');
    const reach = (id: string, parts: Parts) => check({ id, headers, ...parts });
    const params = (parts: Record<string, string>) => ({ params: { memoryId: 'm', ...parts } });
    for (const id of ['searchRecords', 'listRecords', 'insertRecords']) {
      expect(await reach(id, { query: { namespace: '/facts/ada' } })).toBe('passes');
      expect(await reach(id, { query: { namespace: '/everybody' } })).toBe('passes');
      expect(await reach(id, { query: { namespace: '/facts/bob' } })).toBe(DIFFERS);
      expect(await reach(id, { query: { namespace: '/unheard/of' } })).toBe(DIFFERS);
      expect(await reach(id, { query: { longTermMemoryStrategyId: 's1' } })).toBe(DIFFERS);
    }
    const records = (...namespaces: string[]) => ({
      body: { records: namespaces.map((namespace) => ({ namespace })) },
    });
    expect(await reach('batchCreateRecords', records('/facts/ada'))).toBe('passes');
    expect(await reach('batchCreateRecords', records('/facts/ada', '/facts/bob'))).toBe(DIFFERS);
    expect(await reach('batchCreateRecords', { body: { records: [null] } })).toBe(DIFFERS);
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
      expect(await reach(id, params({}))).toBe('runtime.not_for_everyone');
    }
  });

  it('can be UTF-8', async () => {
    const asLatin1 = Buffer.from('Đạt').toString('latin1');
    expect(await check({ params: { actorId: 'Đạt' }, headers: both(asLatin1) })).toBe('passes');
    expect(await check({ id: 'getAgent', params: { agentId: 'Đạt' }, headers: both(asLatin1) })).toBe('passes');
    const query = { namespace: '/facts/Đạt' };
    expect(await check({ id: 'searchRecords', query, headers: both(asLatin1) })).toBe('passes');
  });
});

describe('the table of user data per route', () => {
  it('covers every route that takes a key, and no other', () => {
    const keyed = API_ROUTES.filter(({ scope }) => scope !== null).map(({ id }) => id);
    expect([...USER_DATA_ROUTES].sort()).toEqual(keyed.sort());
  });

  it('uses "actor" only for routes that can name one', () => {
    for (const { id, path, query, body } of OUR_ROUTES.filter((route) => userDataOf(route.id) === 'actor')) {
      const known = [query, body].map((schema) =>
        JSON.stringify(Object.keys((schema as { shape?: object } | undefined)?.shape ?? {})),
      );
      expect(`${path} ${known.join(' ')}`, id).toMatch(/actorId/);
    }
  });
});
