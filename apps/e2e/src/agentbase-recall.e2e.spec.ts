import { eventually } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Stack } from './harness/stack.js';

interface Hit {
  readonly memory: string;
  readonly score: number;
  readonly explain: { readonly words: number; readonly meaning: number | null };
}

const FACTS = [
  'Customer prefers delivery to office address',
  'Customer has complained about delayed shipments twice',
  'User has a premium subscription',
  'User frequently orders electronics',
];

/** The tools `remember` and `recall` of AgentBase's guide, with the model that `npm start` uses. */
describe('recall by meaning', () => {
  let stack: Stack;
  let memoryId = '';
  let namespace = '';
  const path = (action: string) =>
    `/memory/memories/${memoryId}/memory-records:${action}?namespace=${encodeURIComponent(namespace)}`;
  const remember = async (...facts: string[]): Promise<void> => {
    expect((await stack.api.request('POST', path('insert-directly'), { body: facts })).status).toBe(200);
  };
  const recall = async (query: string): Promise<readonly Hit[]> => {
    const body = { query, limit: 5, scoreThreshold: 0.5, explain: true };
    const { status, body: hits } = await stack.api.request<readonly Hit[]>('POST', path('search'), { body });
    expect(status).toBe(200);
    return hits;
  };
  /** The first hit, once it is `fact`. */
  const recalls = (query: string, fact: string) =>
    eventually(async () => (await recall(query))[0]?.memory === fact, { withinMs: 60_000, what: `${query} → ${fact}` });

  beforeAll(async () => {
    stack = await Stack.start({ settings: { EMBEDDINGS: 'local', EMBED_TURNS: 'off' } });
    const strategies = [{ name: 'facts', type: 'SEMANTIC', namespaceTemplate: '/facts/{actorId}' }];
    memoryId = (await stack.api.createMemory({ longTermMemoryStrategies: strategies })).id;
  });
  afterAll(() => stack?.stop());

  it('answers the guide’s queries from what one session inserted', async () => {
    namespace = '/facts/one';
    await remember(...FACTS);
    await recalls('customer shipping preferences', FACTS[0]!);
    await recalls('premium subscription', FACTS[2]!);
    await recalls('What does the user order?', FACTS[3]!);
    await recalls('complaints of the customer', FACTS[1]!);
    // Only what answers it itself.
    expect((await recall('premium subscription')).map(({ memory }) => memory)).toEqual([FACTS[2]]);
    expect(await recall('favourite football team')).toEqual([]);
  });

  it('answers from what another session inserted', async () => {
    namespace = '/facts/two';
    await remember('User is allergic to peanuts');
    await remember('User lives on the third floor without a lift');
    // By the topic of its words at once, and by its meaning once it has a vector.
    await recalls('Which foods must be avoided?', 'User is allergic to peanuts');
    const explained = async () => (await recall('Which foods must be avoided?'))[0]?.explain;
    expect((await explained())?.words).toBe(0);
    await eventually(async () => ((await explained())?.meaning ?? 0) > 0.3, { withinMs: 60_000, what: 'a vector' });
  });
});
