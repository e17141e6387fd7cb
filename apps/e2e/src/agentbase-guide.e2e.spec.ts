import { eventually } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GuideClient } from './agentbase-guide/client.js';
import { commandLineCases } from './agentbase-guide/command-line.js';
import { tokenExchangeCases } from './agentbase-guide/token-exchange.js';
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
  const client = new GuideClient();
  const { curl } = client;
  beforeAll(async () => {
    stack = await Stack.start();
    client.use(stack);
    HOST = client.host;
  });
  afterAll(() => stack.stop());

  const ACTOR_ID = 'user-123';
  const SESSION_ID = 'session-abc';
  let MEMORY_ID = '';
  let STRATEGY_ID = '';
  const namespaceEncoded = () => `%2Fstrategies%2F${STRATEGY_ID}%2Factors%2F${ACTOR_ID}`;

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

  tokenExchangeCases(client);
  commandLineCases(client);

  it('has a page whose commands work', async () => {
    const strict = await startService('ingest', { ...stack.settings, RUNTIME_HEADERS: 'required' });
    try {
      const variables = { TURNKEEPER_URL: strict.url, TURNKEEPER_API_KEY: stack.api.apiKey! };
      expect((await runPage('agentbase', variables)).trim().split('\n')).toEqual([
        ...[
          '"I live in Hue."',
          '"The user prefers the morning."',
          'prefers the morning',
          'without: 400',
          'another user: 403',
        ],
      ]);
    } finally {
      await strict.end('SIGTERM');
    }
  });
});
