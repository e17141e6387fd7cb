import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Problem } from './harness/answers.js';
import { turn, type Api, type Answer } from './harness/api.js';
import { Stack } from './harness/stack.js';

const TURNS = 2_000;
/** More than may wait for two seconds each. */
const CONCURRENT = 96;
const LONGEST_MS = 60_000;
const WORDS =
  'account bridge camera dinner engine ferry garden harbour island jacket kitchen ladder museum orange'.split(' ');

describe('a tenant whose searches take more than its share', () => {
  let stack: Stack;
  let costly: Api;
  let small: Api;
  const memories = new Map<Api, string>();
  beforeAll(async () => {
    stack = await Stack.start({ worker: false });
    costly = stack.api;
    small = stack.apiOf(stack.ingests[0]!, await stack.createKey({ tenant: 'small' }));
    for (const api of [costly, small]) {
      const { id: memoryId } = await api.createMemory({});
      memories.set(api, memoryId);
      const session = { memoryId, actorId: 'ada', sessionId: 'monday' };
      for (let from = 0; from < (api === costly ? TURNS : 10); from += 1_000) {
        const said = Array.from({ length: 1_000 }, (_, at) => turn('user', sentence(at + from, 30)));
        await api.appendBatch(session, said);
      }
    }
  });
  afterAll(() => stack?.stop());

  const sentence = (seed: number, words: number): string =>
    Array.from({ length: words }, (_, at) => WORDS[(seed * 7 + at * (seed % 5) + at) % WORDS.length]).join(' ');
  const search = (api: Api, words: number): Promise<Answer<Problem>> =>
    api.request<Problem>('POST', `/memory/memories/${memories.get(api)}/events:search`, {
      body: { query: sentence(words, words), limit: 50 },
    });

  it('gets 429 for those whose turn does not come, beside another tenant, which never does', async () => {
    const refused: Answer<Problem>[] = [];
    const started = performance.now();
    const goesOn = (): boolean => refused.length === 0 && performance.now() - started < LONGEST_MS;
    const flood = Array.from({ length: CONCURRENT }, async () => {
      while (goesOn()) {
        const answer = await search(costly, 100);
        expect([200, 429]).toContain(answer.status);
        if (answer.status === 429) refused.push(answer);
      }
    });
    let served = 0;
    while (goesOn()) {
      expect((await search(small, 3)).status).toBe(200);
      served += 1;
    }
    await Promise.all(flood);
    expect(served).toBeGreaterThan(0);
    const [{ body, headers } = { body: null, headers: new Headers() }] = refused;
    expect(body).toMatchObject({ code: 'tenant.too_much_work', next: expect.stringContaining('Retry-After') });
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    // Once it is below its share again, nothing of it waits.
    expect((await search(costly, 3)).status).toBe(200);
  });
});
