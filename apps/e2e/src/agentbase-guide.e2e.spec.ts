import { eventually } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { differences } from './harness/conforms.js';
import { runPage } from './harness/page-commands.js';
import { startService } from './harness/service.js';
import { Stack } from './harness/stack.js';

/**
 * Every REST call of AgentBase's Memory guide, in order and with its bodies; only the host and the token are replaced.
 * Responses must match the guide.
 */
describe('the AgentBase guide', () => {
  let stack: Stack;
  let HOST: string;
  let TOKEN: string;
  beforeAll(async () => {
    stack = await Stack.start();
    HOST = `${stack.ingests[0]!.url}/memory`;
    TOKEN = stack.api.apiKey ?? '';
  });
  afterAll(() => stack.stop());

  const ACTOR_ID = 'user-123';
  const SESSION_ID = 'session-abc';
  let MEMORY_ID = '';
  let STRATEGY_ID = '';
  const namespaceEncoded = () => `%2Fstrategies%2F${STRATEGY_ID}%2Factors%2F${ACTOR_ID}`;

  /** The response's body, checked against the OpenAPI document; undefined if it is empty. */
  const bodyOf = async <T>(method: string, response: Response): Promise<T> => {
    const text = await response.text();
    const body = text === '' ? undefined : (JSON.parse(text) as T);
    const contentType = response.headers.get('content-type') ?? '';
    const { pathname } = new URL(response.url);
    expect(differences(method, pathname, { status: response.status, contentType, body: body ?? null })).toEqual([]);
    return body as T;
  };

  /**
   * The output of `curl -s -X …
   *  jq .`.
   */
  const curl = async <T>(method: string, url: string, data?: string): Promise<{ status: number; answer: T }> => {
    const response = await fetch(url, {
      method,
      headers: {
        Authorization: `Bearer ${TOKEN}`,
        ...(data === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(data === undefined ? {} : { body: data }),
    });
    return { status: response.status, answer: await bodyOf<T>(method, response) };
  };

  it('creates a memory store with a SEMANTIC strategy', async () => {
    const { status, answer } = await curl<{ id: string }>(
      'POST',
      `${HOST}/memories`,
      `{
    "name": "customer-support-memory",
    "description": "Memory for customer support agent",
    "eventExpiryDuration": 30,
    "longTermMemoryStrategies": [
      {
        "name": "semantic-facts",
        "type": "SEMANTIC",
        "namespaceTemplate": "/strategies/{memoryStrategyId}/actors/{actorId}",
        "enableAutomaticMemoryRecordGeneration": true
      }
    ]
  }`,
    );
    expect(status).toBe(200);
    expect(answer).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'customer-support-memory',
      status: 'ACTIVE',
      eventExpiryDuration: 30,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
    });
  });

  it('creates a memory store with several strategies', async () => {
    const { status, answer } = await curl<{ id: string }>(
      'POST',
      `${HOST}/memories`,
      `{
    "name": "customer-support-memory",
    "description": "Memory for customer support agent",
    "eventExpiryDuration": 30,
    "longTermMemoryStrategies": [
      {
        "name": "semantic-facts",
        "type": "SEMANTIC",
        "namespaceTemplate": "/strategies/{memoryStrategyId}/actors/{actorId}",
        "enableAutomaticMemoryRecordGeneration": true
      },
      {
        "name": "user-preferences",
        "type": "USER_PREFERENCE",
        "namespaceTemplate": "/strategies/{memoryStrategyId}/actors/{actorId}",
        "enableAutomaticMemoryRecordGeneration": true
      },
      {
        "name": "custom-orders",
        "type": "CUSTOM",
        "namespaceTemplate": "/strategies/{memoryStrategyId}/actors/{actorId}",
        "enableAutomaticMemoryRecordGeneration": false,
        "customFactExtractionPrompt": "Extract facts about customer orders, shipping preferences, and complaint history."
      }
    ]
  }`,
    );
    expect(status).toBe(200);
    expect(answer).toMatchObject({ status: 'ACTIVE', eventExpiryDuration: 30 });
    MEMORY_ID = answer.id;
  });

  it('lists memory stores', async () => {
    const { status, answer } = await curl<{ listData: { id: string }[] }>('GET', `${HOST}/memories?page=1&size=10`);
    expect(status).toBe(200);
    expect(answer).toMatchObject({ page: 1, pageSize: 10, totalPage: 1, totalItem: 2 });
    expect(answer.listData[0]).toMatchObject({ id: MEMORY_ID, status: 'ACTIVE' });
  });

  it('gets the details of a memory store and its strategies', async () => {
    const memory = await curl('GET', `${HOST}/memories/${MEMORY_ID}`);
    expect(memory).toMatchObject({ status: 200, answer: { id: MEMORY_ID, name: 'customer-support-memory' } });
    const strategies = await curl<{ id: string; type: string; name: string }[]>(
      'GET',
      `${HOST}/memories/${MEMORY_ID}/long-term-memory-strategies`,
    );
    expect(strategies.status).toBe(200);
    expect(strategies.answer.map(({ type, name }) => [type, name])).toEqual([
      ['SEMANTIC', 'semantic-facts'],
      ['USER_PREFERENCE', 'user-preferences'],
      ['CUSTOM', 'custom-orders'],
    ]);
    STRATEGY_ID = strategies.answer[0]!.id;
  });

  it('writes an event', async () => {
    const { status } = await curl(
      'POST',
      `${HOST}/memories/${MEMORY_ID}/actors/${ACTOR_ID}/sessions/${SESSION_ID}/events`,
      `{
    "payload": {
      "type": "CONVERSATIONAL",
      "role": "user",
      "message": "I need help with my order #12345"
    }
  }`,
    );
    expect(status).toBe(200);
  });

  it('loads the conversation history', async () => {
    const { status, answer } = await curl(
      'GET',
      `${HOST}/memories/${MEMORY_ID}/actors/${ACTOR_ID}/sessions/${SESSION_ID}/events?page=1&size=20`,
    );
    expect(status).toBe(200);
    expect(answer).toMatchObject({
      page: 1,
      pageSize: 20,
      totalPage: 1,
      totalItem: 1,
      listData: [
        {
          id: expect.any(String),
          payload: { type: 'CONVERSATIONAL', role: 'user', message: 'I need help with my order #12345' },
          event_timestamp: expect.any(String),
        },
      ],
    });
  });

  it('pages by offset, as far as the guide allows', async () => {
    const events = `${HOST}/memories/${MEMORY_ID}/actors/${ACTOR_ID}/sessions/${SESSION_ID}/events`;
    const { answer } = await curl<{ listData: object[] }>('GET', `${events}?from=0&size=20`);
    expect(answer.listData).toHaveLength(1);
    expect(await curl('GET', `${events}?from=1&size=20`)).toMatchObject({ status: 200, answer: { listData: [] } });
    expect(await curl('GET', `${events}?from=5001`)).toMatchObject({ status: 400, answer: { field: 'from' } });
  });

  it('generates records from a session', async () => {
    // The guide's event holds no fact, so this customer states one.
    await curl(
      'POST',
      `${HOST}/memories/${MEMORY_ID}/actors/${ACTOR_ID}/sessions/${SESSION_ID}/events`,
      JSON.stringify({
        payload: {
          type: 'CONVERSATIONAL',
          role: 'user',
          message: 'I prefer delivery to my office address. I live in Hanoi.',
        },
      }),
    );
    const { status } = await curl(
      'POST',
      `${HOST}/memories/${MEMORY_ID}/memory-records:generate-from-session?actorId=${ACTOR_ID}&sessionId=${SESSION_ID}&longTermMemoryStrategyId=${STRATEGY_ID}`,
    );
    expect(status).toBe(200);
    const list = `${HOST}/memories/${MEMORY_ID}/memory-records?namespace=${namespaceEncoded()}&limit=100`;
    await eventually(async () => (await curl<unknown[]>('GET', list)).answer.length > 0, { withinMs: 30_000 });
  });

  it('searches records semantically', async () => {
    // The two facts of the example response, filed like the guide's `remember` tool does.
    const facts = [
      'Customer prefers delivery to office address',
      'Customer has complained about delayed shipments twice',
    ];
    const filed = await curl<{ records: { id: string }[] }>(
      'POST',
      `${HOST}/memories/${MEMORY_ID}/memory-records:insert-directly?namespace=${namespaceEncoded()}`,
      JSON.stringify(facts), // the bare list of the guide's client
    );
    expect(filed.status).toBe(200);
    const again = await curl<{ records: { id: string; created: boolean }[] }>(
      'POST',
      `${HOST}/memories/${MEMORY_ID}/memory-records:insert-directly?namespace=${namespaceEncoded()}`,
      JSON.stringify({ memoryRecords: facts }),
    );
    const same = filed.answer.records.map(({ id }) => ({ id, created: false }));
    expect([again.status, again.answer]).toMatchObject([200, { records: same }]);
    const { status, answer } = await curl<{ score: number; memory: string }[]>(
      'POST',
      `${HOST}/memories/${MEMORY_ID}/memory-records:search?namespace=${namespaceEncoded()}`,
      `{
    "query": "customer shipping preferences",
    "limit": 10,
    "scoreThreshold": 0.5
  }`,
    );
    expect(status).toBe(200);
    // The preference is the best hit and above the threshold.
    expect(answer[0]).toMatchObject({ score: expect.any(Number), memory: facts[0] });
    for (const { score } of answer) expect(score >= 0.5 && score <= 1).toBe(true);
    expect(answer.map(({ score }) => score)).toEqual(answer.map(({ score }) => score).toSorted((a, b) => b - a));
  });

  it('searches with the limit and the threshold of its recall tool', async () => {
    const { status, answer } = await curl<{ memory: string }[]>(
      'POST',
      `${HOST}/memories/${MEMORY_ID}/memory-records:search?namespace=${namespaceEncoded()}`,
      '{ "query": "delivery to the office address", "limit": 5, "scoreThreshold": 0.5 }',
    );
    expect(status).toBe(200);
    expect(answer.map(({ memory }) => memory)).toEqual(
      expect.arrayContaining([
        'Customer prefers delivery to office address',
        expect.stringContaining('office address'),
      ]),
    );
  });

  it('lists actors', async () => {
    const { status, answer } = await curl('GET', `${HOST}/memories/${MEMORY_ID}/actors?page=1&size=10`);
    expect(status).toBe(200);
    expect(answer).toMatchObject({
      listData: [{ memoryId: MEMORY_ID, actorId: ACTOR_ID, status: 'ACTIVE' }],
      page: 1,
      pageSize: 10,
      totalPage: 1,
      totalItem: 1,
    });
  });

  it('browses memory records', async () => {
    const { status, answer } = await curl<{ id: string; memory: string; score: null }[]>(
      'GET',
      `${HOST}/memories/${MEMORY_ID}/memory-records?namespace=${namespaceEncoded()}&limit=100`,
    );
    expect(status).toBe(200);
    expect(answer[0]).toMatchObject({
      id: expect.any(String),
      memory: expect.any(String),
      score: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
  });

  it('deletes a memory store', async () => {
    expect(await curl('DELETE', `${HOST}/memories/${MEMORY_ID}`)).toEqual({ status: 200, answer: undefined });
    expect((await curl('GET', `${HOST}/memories/${MEMORY_ID}`)).status).toBe(404);
    expect(await curl('GET', `${HOST}/memories?page=1&size=10`)).toMatchObject({ answer: { totalItem: 1 } });
  });

  describe('its limits', () => {
    const create = (body: object) =>
      curl<{ id: string; field?: string }>('POST', `${HOST}/memories`, JSON.stringify(body));
    it.each([
      ['an expiry of 0 days', { name: 'a', eventExpiryDuration: 0 }, 'eventExpiryDuration'],
      ['an expiry of 366 days', { name: 'a', eventExpiryDuration: 366 }, 'eventExpiryDuration'],
      ['a name of 51 characters', { name: 'a'.repeat(51) }, 'name'],
      ['a name with a space', { name: 'a b' }, 'name'],
    ])('reject %s', async (_, body, field) => {
      expect(await create(body)).toMatchObject({ status: 400, answer: { field } });
    });

    it.each([
      ['an expiry of 1 day', { name: 'a', eventExpiryDuration: 1 }],
      ['an expiry of 365 days', { name: 'a', eventExpiryDuration: 365 }],
      ['a name of 50 characters', { name: 'a'.repeat(50) }],
      ['an empty name', { name: '' }],
    ])('allow %s', async (_, body) => {
      expect((await create(body)).status).toBe(200);
    });

    it('apply to search and event pages', async () => {
      const { answer: memory } = await create({ name: 'limits' });
      const search = (body: object) =>
        curl('POST', `${HOST}/memories/${memory.id}/memory-records:search?namespace=n`, JSON.stringify(body));
      const events = (query: string) =>
        curl('GET', `${HOST}/memories/${memory.id}/actors/a/sessions/s/events?${query}`);
      expect((await search({ query: 'x', limit: 4 })).status).toBe(400);
      expect((await search({ query: 'x', limit: 201 })).status).toBe(400);
      expect((await search({ query: 'x', limit: 200, scoreThreshold: 1 })).status).toBe(200);
      expect((await search({ query: 'x', scoreThreshold: 1.01 })).status).toBe(400);
      expect((await search({ query: 'x'.repeat(1_001) })).status).toBe(400);
      expect((await events('page=51&size=100')).status).toBe(200);
      expect((await events('page=52&size=100')).status).toBe(400);
    });
  });

  describe("the exchange of a key for a token, as AgentBase's clients do it", () => {
    const exchange = async (
      user: string,
      password: string,
      body: string,
      type = 'application/x-www-form-urlencoded',
    ) => {
      const response = await fetch(`${stack.api.url}/accounts-api/v2/auth/token`, {
        method: 'POST',
        headers: {
          Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
          'Content-Type': type,
        },
        body,
      });
      return { status: response.status, answer: await bodyOf<Record<string, unknown>>('POST', response) };
    };

    it('gives a bearer token with the rights of the key', async () => {
      const [, id = '', secret = ''] = TOKEN.split('_');
      const forms = [
        ['grant_type=client_credentials', undefined],
        ['{ "grant_type": "client_credentials", "scope": "email" }', 'application/json'],
      ] as const;
      for (const [body, type] of forms) {
        const { status, answer } = await exchange(id, secret, body, type);
        expect([status, answer]).toEqual([
          200,
          {
            access_token: expect.stringMatching(/^tkt_/),
            token_type: 'Bearer',
            expires_in: 7200,
            scope: expect.stringContaining('memory:read'),
          },
        ]);
        const headers = { Authorization: `Bearer ${String(answer['access_token'])}` };
        expect((await fetch(`${HOST}/memories`, { headers })).status).toBe(200);
        const caller = async (authorization: string) =>
          (await fetch(`${stack.api.url}/v1/auth/caller`, { headers: { authorization } })).json();
        expect(await caller(headers.Authorization)).toEqual(await caller(`Bearer ${TOKEN}`));
        const again = await fetch(`${stack.api.url}/accounts-api/v2/auth/token`, { method: 'POST', headers, body });
        expect([again.status, await again.json()]).toMatchObject([401, { error: 'invalid_client' }]);
      }
    });

    it('reports errors in the words of RFC 6749', async () => {
      const [, id = '', secret = ''] = TOKEN.split('_');
      const grant = 'grant_type=client_credentials';
      const errorOf = async (...parts: Parameters<typeof exchange>) => {
        const { status, answer } = await exchange(...parts);
        expect(answer).toEqual({ error: expect.any(String), error_description: expect.any(String) });
        return [status, answer['error']];
      };
      expect(await errorOf(id, '0'.repeat(64), grant)).toEqual([401, 'invalid_client']);
      expect(await errorOf('unknown', secret, grant)).toEqual([401, 'invalid_client']);
      expect(await errorOf(id, secret, '')).toEqual([400, 'invalid_request']);
      expect(await errorOf(id, secret, '{"grant_type":', 'application/json')).toEqual([400, 'invalid_request']);
      expect(await errorOf(id, secret, 'grant_type=password')).toEqual([400, 'unsupported_grant_type']);
      expect(await errorOf(id, secret, `${grant}&x=${'x'.repeat(5_000)}`)).toEqual([413, 'invalid_request']);
    });
  });

  describe('the calls of its command line client', () => {
    /**
     * Names and types that the client decodes (`go/internal/agentbase/memory/models.go` of GreenNodeHub/greennode-cli,
     * commit 39069e9). Null is decoded as the type's zero value.
     */
    const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
    const text = expect.any(String) as string;
    const at = expect.stringMatching(timestamp) as string;
    const MEMORY = {
      ...{ id: text, name: text, description: text, eventExpiryDuration: 30, status: 'ACTIVE' },
      ...{ createdAt: at, updatedAt: at },
    };
    const STRATEGY = {
      ...{ id: text, memoryId: text, name: 'sem', type: 'SEMANTIC', customFactExtractionPrompt: null },
      ...{ namespaceTemplate: '/strategies/SEMANTIC/actors/{actorId}', enableAutomaticMemoryRecordGeneration: false },
      ...{ status: 'ACTIVE', createdAt: at, updatedAt: at },
    };
    const RECORD = { id: text, memory: text, created_at: at, updated_at: at };
    const page = (listData: unknown[]) => ({
      listData,
      page: 1,
      pageSize: 10,
      totalPage: 1,
      totalItem: listData.length,
    });
    const namespace = encodeURIComponent('/strategies/SEMANTIC/actors/a1');

    it('succeed, and are answered with every field that it decodes', async () => {
      /** The client's own headers; it sends no content type without a body. */
      const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
        const response = await fetch(`${HOST}${path}`, {
          method,
          headers: {
            ...{ Authorization: `Bearer ${TOKEN}`, Accept: 'application/json' },
            ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const answer = await bodyOf<T>(method, response);
        expect(response.status, `${method} ${path}: ${JSON.stringify(answer)}`).toBe(200);
        return answer;
      };
      const memory = await call<{ id: string }>('POST', '/memories', {
        ...{ name: 'm', description: 'd', eventExpiryDuration: 30 },
        longTermMemoryStrategies: [
          {
            ...{ name: 'sem', type: 'SEMANTIC', namespaceTemplate: STRATEGY.namespaceTemplate },
            enableAutomaticMemoryRecordGeneration: false,
          },
        ],
      });
      expect(memory).toMatchObject(MEMORY);
      const path = `/memories/${memory.id}`;
      expect(await call('GET', path)).toMatchObject(MEMORY);
      expect(await call('GET', '/memories')).toMatchObject({ page: 1, pageSize: 10 });
      const strategies = await call<{ id: string }[]>('GET', `${path}/long-term-memory-strategies`);
      expect(strategies).toMatchObject([STRATEGY]);

      const session = `${path}/actors/a1/sessions/s1`;
      await call('POST', `${session}/events`, { payload: { type: 'USER', role: 'user', message: 'hi' } });
      await call('POST', `${session}/events`, {
        ...{ payload: { type: 'CONVERSATIONAL', role: 'user', message: 'I live in Hue.' } },
        eventTimestamp: '2026-03-18T09:00:00Z',
      });
      expect(await call('GET', `${path}/actors?page=1&size=10`)).toMatchObject(
        page([{ memoryId: memory.id, actorId: 'a1', status: 'ACTIVE' }]),
      );
      expect(await call('GET', `${path}/actors/a1/sessions?page=1&size=10`)).toMatchObject(
        page([{ memoryId: memory.id, actorId: 'a1', sessionId: 's1', status: 'ACTIVE' }]),
      );
      const range = 'fromTimestamp=2026-03-18T00%3A00%3A00Z&page=1&size=100&toTimestamp=2026-03-19T00%3A00%3A00Z';
      const { listData } = await call<{ listData: { id: string; payload: object }[] }>(
        'GET',
        `${session}/events?${range}`,
      );
      expect(listData.map(({ payload }) => payload)).toMatchObject([{ role: 'user', message: 'I live in Hue.' }]);

      await call('POST', `${path}/memory-records:insert-directly?namespace=${namespace}`, {
        memoryRecords: ['prefers dark mode', 'lives in Hue'],
      });
      const records = await call<{ id: string }[]>('GET', `${path}/memory-records?limit=50&namespace=${namespace}`);
      expect(records).toMatchObject([
        { ...RECORD, score: null },
        { ...RECORD, score: null },
      ]);
      const search = { query: 'dark mode', limit: 100, scoreThreshold: 0 };
      const [best] = await call<object[]>('POST', `${path}/memory-records:search?namespace=${namespace}`, search);
      expect(best).toMatchObject({ ...RECORD, memory: 'prefers dark mode', score: expect.any(Number) as number });
      const strategy = `longTermMemoryStrategyId=${strategies[0]!.id}`;
      await call('POST', `${path}/memory-records:generate-from-session?actorId=a1&${strategy}&sessionId=s1`);
      const chat = { chatMessages: [{ role: 'user', content: 'hi' }] };
      await call('POST', `${path}/memory-records:generate-from-content?actorId=a1&${strategy}&sessionId=s1`, chat);
      await call('DELETE', `${path}/memory-records/${records[0]!.id}`);
      await call('DELETE', `${session}/events/${listData[0]!.id}`);
      await call('DELETE', path);
    });
  });

  it('has a page whose commands work', async () => {
    const strict = await startService('ingest', { ...stack.settings, RUNTIME_HEADERS: 'required' });
    try {
      const variables = { TURNKEEPER_URL: strict.url, TURNKEEPER_KEY: stack.api.apiKey! };
      expect((await runPage('agentbase', variables)).trim().split('\n')).toEqual([
        ...['"I live in Hue."', '"The user prefers the morning."', 'without: 400', 'another user: 403'],
      ]);
    } finally {
      await strict.end('SIGTERM');
    }
  });
});
