import { Embeddings } from '@langchain/core/embeddings';
import { InMemoryStore, type BaseStore } from '@langchain/langgraph-checkpoint';
import { TurnkeeperStore } from '@turnkeeper/langgraph';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Stack } from './harness/stack.js';

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.start({ worker: false });
});
afterAll(() => stack?.stop());

/** Texts with the same pairs of letters are near. */
class PairEmbeddings extends Embeddings {
  constructor(private readonly size: number) {
    super({});
  }

  async embedQuery(text: string): Promise<number[]> {
    const vector = Array.from({ length: this.size }, () => 0.01);
    for (let at = 1; at < text.length; at += 1) {
      const place = (31 * (text.charCodeAt(at - 1) | 32) + (text.charCodeAt(at) | 32)) % this.size;
      vector[place] = (vector[place] ?? 0) + 1;
    }
    return vector;
  }

  embedDocuments(texts: string[]): Promise<number[][]> {
    return Promise.all(texts.map((text) => this.embedQuery(text)));
  }
}

const indexOf = (size: number, fields?: string[]) => ({
  ...{ dims: size, embeddings: new PairEmbeddings(size) },
  ...(fields === undefined ? {} : { fields }),
});
const storeOf = (memoryId: string, index: ReturnType<typeof indexOf>): TurnkeeperStore =>
  new TurnkeeperStore({ baseUrl: stack.api.url, apiKey: stack.api.apiKey!, memoryId, index });
const shown = async (items: BaseStore, query: string, more: object = {}) =>
  (await items.search(['docs'], { query, ...more })).map(({ key, score }) => ({ key, score }));

const fill = async (items: BaseStore): Promise<void> => {
  await items.put(['docs'], 'python', { text: 'Python tutorial', tags: ['snakes', 'code'] });
  await items.put(['docs'], 'typescript', { text: 'TypeScript guide' });
  await items.put(['docs', 'ada'], 'garden', { text: 'Growing tomatoes', rows: 3 });
  await items.put(['docs'], 'titled', { title: 'Snakes of Hue', text: 'A long walk' }, ['title']);
  await items.put(['docs'], 'hidden', { text: 'python programming' }, false);
};

it.each([[undefined], [['text', 'tags[*]']]])(
  'the store ranks by embeddings of %s like InMemoryStore',
  async (fields) => {
    const index = indexOf(128, fields);
    const { id: memoryId } = await stack.api.createMemory({});
    const [ours, theirs] = [storeOf(memoryId, index), new InMemoryStore({ index })];
    await fill(ours);
    await fill(theirs);
    for (const query of ['python programming', 'snakes', 'tomato garden', 'a typescript guide'])
      for (const more of [{}, { limit: 2 }, { limit: 2, offset: 1 }, { filter: { title: 'Snakes of Hue' } }]) {
        const expected = (await shown(theirs, query, more)).map(({ key, score }) => ({
          ...{ key, score: score === undefined ? undefined : expect.closeTo(score, 1) },
        }));
        expect(await shown(ours, query, more), query).toEqual(expected);
      }
  },
);

it('the store ranks the items of an exported memory as before, and no vectors of another size', async () => {
  const index = indexOf(64);
  const { id: memoryId } = await stack.api.createMemory({});
  const items = storeOf(memoryId, index);
  await fill(items);
  // What is put again is ranked by what it says then.
  await items.put(['docs'], 'typescript', { text: 'Python programming in snakes' });
  const found = await shown(items, 'snakes');
  expect(found.slice(0, 4).every(({ score }) => score! > 0)).toBe(true);

  const headers = { authorization: `Bearer ${stack.api.apiKey!}` };
  const file = await (await fetch(`${stack.api.url}/v1/memories/${memoryId}/export`, { headers })).text();
  const answer = await fetch(`${stack.api.url}/v1/memories:import?ids=new`, {
    ...{ method: 'POST', body: file },
    headers: { ...headers, 'content-type': 'application/x-ndjson' },
  });
  const { memoryId: copy } = (await answer.json()) as { memoryId: string };
  const byKey = (hits: typeof found) => Object.fromEntries(hits.map(({ key, score }) => [key, score]));
  expect(byKey(await shown(storeOf(copy, index), 'snakes'))).toEqual(byKey(found));

  const other = await shown(storeOf(memoryId, indexOf(32)), 'snakes');
  expect(other.map(({ score }) => score)).toEqual(Array.from(other, () => undefined));
});
