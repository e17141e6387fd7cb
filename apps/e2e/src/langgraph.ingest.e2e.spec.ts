import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Annotation, END, START, StateGraph, type StateSnapshot } from '@langchain/langgraph';
import { InMemoryStore, uuid6, type Checkpoint, type Item, type Operation } from '@langchain/langgraph-checkpoint';
import { TurnkeeperSaver, TurnkeeperStore } from '@turnkeeper/langgraph';
import * as vitest from 'vitest';
import { startService } from './harness/service.js';
import { Stack } from './harness/stack.js';

const { afterAll, beforeAll, describe, expect, it } = vitest;
const run = promisify(execFile);

// The validation suite uses vitest's globals.
Object.assign(globalThis, vitest);
const { specTest, deltaChannelHistoryTests } = await import('@langchain/langgraph-checkpoint-validation');

let stack: Stack;
const start = async (): Promise<void> => {
  stack = await Stack.start({ worker: false, settings: { RATE_LIMIT_PER_SECOND: '0' } });
};
const saver = async (): Promise<TurnkeeperSaver> => {
  const { id } = await stack.api.createMemory({ name: 'graphs' });
  return saverOf(id, 'tester');
};
const saverOf = (memoryId: string, actorId?: string): TurnkeeperSaver =>
  new TurnkeeperSaver({
    baseUrl: stack.api.url,
    apiKey: stack.api.apiKey!,
    memoryId,
    ...(actorId === undefined ? {} : { actorId }),
  });

beforeAll(start);
afterAll(() => stack?.stop());

describe('checkpoints of LangGraph', () => {
  // Each checkpointer has its own memory.
  const validated = { checkpointerName: 'TurnkeeperSaver', createCheckpointer: saver };
  specTest(validated as unknown as Parameters<typeof specTest>[0]);
  deltaChannelHistoryTests(validated as unknown as Parameters<typeof deltaChannelHistoryTests>[0]);

  const counter = new StateGraph(
    Annotation.Root({ steps: Annotation<number>({ reducer: (_, b) => b, default: () => 0 }) }),
  )
    .addNode('step', ({ steps }) => ({ steps: steps + 1 }))
    .addEdge(START, 'step');

  it('continue an interrupted graph in another process', async () => {
    const { id: memoryId } = await stack.api.createMemory({});
    const script = join(import.meta.dirname, 'harness', 'interrupted-graph.mjs');
    const step = async (name: string): Promise<unknown> => {
      const { stdout } = await run(process.execPath, [script, name, stack.api.url, stack.api.apiKey!, memoryId, 't']);
      return JSON.parse(stdout);
    };
    expect(await step('start')).toEqual({ asked: ['May I?'], state: { question: 'May I?' } });
    expect(await step('resume')).toEqual({ asked: [], state: { question: 'May I?', answer: 'Yes.' } });
  });

  it('let a thread go on from an earlier checkpoint, without changing the later ones', async () => {
    const checkpointer = await saver();
    const graph = counter
      .addConditionalEdges('step', ({ steps }) => (steps % 5 === 0 ? END : 'step'))
      .compile({ checkpointer });
    const thread = { configurable: { thread_id: 'travel', actor_id: 'ada' } };
    expect(await graph.invoke({ steps: 0 }, thread)).toEqual({ steps: 5 });
    const history = [];
    for await (const state of graph.getStateHistory(thread)) history.push(state);
    const early = history.find(({ values }) => values.steps === 2)!;
    const fork = await graph.updateState(early.config, { steps: 100 });
    expect((await graph.getState(fork)).values).toEqual({ steps: 100 });
    // The fork's values have other versions than those of the first path.
    expect((await graph.getState(history[0]!.config)).values).toEqual({ steps: 5 });
    expect((await graph.getState(early.config)).values).toEqual({ steps: 2 });
  });

  it('hold a thread of 200 steps, and list it page by page', async () => {
    const checkpointer = await saver();
    const graph = new StateGraph(Annotation.Root({ steps: Annotation<number>() }))
      .addNode('step', ({ steps }) => ({ steps: steps + 1 }))
      .addEdge(START, 'step')
      .addConditionalEdges('step', ({ steps }) => (steps >= 200 ? END : 'step'))
      .compile({ checkpointer });
    const thread = { configurable: { thread_id: 'long' }, recursionLimit: 300 };
    expect(await graph.invoke({ steps: 0 }, thread)).toEqual({ steps: 200 });
    const seen: number[] = [];
    for await (const { checkpoint } of checkpointer.list(thread)) {
      if (typeof checkpoint.channel_values['steps'] === 'number') seen.push(checkpoint.channel_values['steps']);
    }
    expect(seen).toEqual(Array.from({ length: 201 }, (_, at) => 200 - at));
  });

  const checkpointOf = (id: string, value: unknown, version: string): Checkpoint => ({
    v: 4,
    id,
    ts: new Date(0).toISOString(),
    versions_seen: {},
    channel_values: { said: value },
    channel_versions: { said: version },
  });
  const putOne = async (at: TurnkeeperSaver, thread: object, value = 'hello'): Promise<void> => {
    const config = { configurable: { ...thread, checkpoint_ns: '' } };
    await at.put(config, checkpointOf(uuid6(0), value, '1'), { source: 'input', step: -1, parents: {} }, { said: '1' });
  };
  const valuesOf = async (at: TurnkeeperSaver, thread: object = {}): Promise<unknown[]> => {
    const values: unknown[] = [];
    for await (const { checkpoint } of at.list({ configurable: { ...thread } }))
      values.push(checkpoint.channel_values['said']);
    return values;
  };

  it('return writes ordered by task path, task id and index', async () => {
    const checkpointer = await saver();
    const config = { configurable: { thread_id: 'ordered', checkpoint_ns: '', checkpoint_id: uuid6(0) } };
    await checkpointer.putWrites(
      config,
      [
        ['c', 'third'],
        ['c', 'fourth'],
      ],
      'task-a',
      '~2',
    );
    await checkpointer.putWrites(config, [['c', 'second']], 'task-z', '~1');
    await checkpointer.putWrites(config, [['c', 'first']], 'task-\u{1F600}');
    await checkpointer.put(
      config,
      checkpointOf(config.configurable.checkpoint_id, 'x', '1'),
      { source: 'loop', step: 0, parents: {} },
      {},
    );
    const tuple = await checkpointer.getTuple(config);
    expect(tuple?.pendingWrites?.map(([, , value]) => value)).toEqual(['first', 'second', 'third', 'fourth']);
  });

  it('belong to their actor and tenant', async () => {
    const { id: memoryId } = await stack.api.createMemory({});
    const thread = { thread_id: 'shared' };
    await putOne(saverOf(memoryId, 'ada'), thread, 'of ada');
    await putOne(saverOf(memoryId, 'bob'), thread, 'of bob');
    expect(await valuesOf(saverOf(memoryId, 'ada'), thread)).toEqual(['of ada']);
    expect(await valuesOf(saverOf(memoryId, 'bob'))).toEqual(['of bob']);
    const apiKey = await stack.createKey({ tenant: 'stranger' });
    const stranger = new TurnkeeperSaver({ baseUrl: stack.api.url, apiKey, memoryId, actorId: 'ada' });
    await expect(putOne(stranger, thread)).rejects.toMatchObject({ code: 'memory.not_found' });
    await expect(valuesOf(stranger, thread)).rejects.toMatchObject({ code: 'memory.not_found' });
    await saverOf(memoryId, 'ada').deleteThread('shared');
    expect(await valuesOf(saverOf(memoryId))).toEqual(['of bob']);
  });

  it('of two users with one thread id are never mixed, and a thread without an actor is refused', async () => {
    const { id: memoryId } = await stack.api.createMemory({});
    const any = saverOf(memoryId);
    const of = (actor_id: string) => ({ thread_id: 'default', actor_id });
    await expect(putOne(any, { thread_id: 'default' })).rejects.toMatchObject({ code: 'thread.actor_unknown' });
    await putOne(any, of('ada'), 'of ada');
    expect(await valuesOf(any, { thread_id: 'default' })).toEqual(['of ada']);
    await putOne(any, of('bob'), 'of bob');
    for (const use of [
      () => putOne(any, { thread_id: 'default' }),
      () => any.getTuple({ configurable: { thread_id: 'default' } }),
      () => valuesOf(any, { thread_id: 'default' }),
      () => any.deleteThread('default'),
    ]) {
      await expect(use()).rejects.toMatchObject({ code: 'thread.actor_ambiguous', message: /actor_id/ });
    }
    expect((await valuesOf(any)).toSorted()).toEqual(['of ada', 'of bob']);
    await saverOf(memoryId, 'ada').deleteThread('default');
    expect(await valuesOf(any, { thread_id: 'default' })).toEqual(['of bob']);
    await any.deleteThread('default');
    expect(await valuesOf(any)).toEqual([]);
    await any.deleteThread('default');
    expect(await any.getTuple({ configurable: { thread_id: 'default' } })).toBeUndefined();
  });

  it('show the state of a subgraph, and keep an edit of it', async () => {
    const { id: memoryId } = await stack.api.createMemory({});
    const State = Annotation.Root({ question: Annotation<string>(), answer: Annotation<string>() });
    const inner = new StateGraph(State)
      .addNode('ask', () => ({ question: 'May I?' }))
      .addNode('reply', ({ question }) => ({ answer: `${question} Yes.` }))
      .addEdge(START, 'ask')
      .addEdge('ask', 'reply')
      .addEdge('reply', END)
      .compile({ interruptBefore: ['reply'] });
    const graph = new StateGraph(State)
      .addNode('inner', inner)
      .addEdge(START, 'inner')
      .addEdge('inner', END)
      .compile({ checkpointer: saverOf(memoryId) });
    const thread = { configurable: { thread_id: 'call-1', actor_id: 'linh' } };
    await graph.invoke({ question: '' }, thread);
    const innerState = async () =>
      (await graph.getState(thread, { subgraphs: true })).tasks[0]?.state as StateSnapshot | undefined;
    expect((await innerState())?.values).toEqual({ question: 'May I?' });
    await graph.updateState((await innerState())!.config, { question: 'May we?' });
    expect((await innerState())?.values).toEqual({ question: 'May we?' });
    expect(await graph.invoke(null, thread)).toEqual({ question: 'May we?', answer: 'May we? Yes.' });
  });

  it('name the user of each request to a server that requires it, and take headers of the caller', async () => {
    const strict = await startService('ingest', { ...stack.settings, RUNTIME_HEADERS: 'required' });
    try {
      const { id: memoryId } = await stack.api.createMemory({});
      const of = (more: object): TurnkeeperSaver =>
        new TurnkeeperSaver({ baseUrl: strict.url, apiKey: stack.api.apiKey!, memoryId, ...more });
      const users = ['Đạt', 'ada'].map((actor_id) => ({ thread_id: 'call 1', actor_id }));
      await expect(putOne(of({}), users[0]!)).rejects.toMatchObject({ code: 'runtime.headers_missing' });
      const named = of({ runtimeHeaders: true });
      await Promise.all(users.map((user) => putOne(named, user, `of ${user.actor_id}`)));
      for (const user of users) expect(await valuesOf(named, user)).toEqual([`of ${user.actor_id}`]);
      const ofAda = of({
        headers: { 'X-GreenNode-AgentBase-User-Id': 'ada', 'X-GreenNode-AgentBase-Session-Id': 'call 1' },
      });
      expect(await valuesOf(ofAda, users[1])).toEqual(['of ada']);
      await expect(valuesOf(ofAda, users[0])).rejects.toMatchObject({ code: 'runtime.user_differs' });
      await expect(putOne(ofAda, users[0]!)).rejects.toMatchObject({ code: 'runtime.user_differs' });
    } finally {
      await strict.end('SIGTERM');
    }
  });

  it('are erased with their session and their actor, also if there are no events', async () => {
    const { id: memoryId } = await stack.api.createMemory({});
    const of = (thread: string, actor: string) => ({ thread_id: thread, actor_id: actor });
    const any = saverOf(memoryId);
    for (const place of [of('monday', 'ada'), of('tuesday', 'ada'), of('monday', 'bob')]) await putOne(any, place);
    const path = `/memory/memories/${memoryId}/actors/ada`;
    const erased = await stack.api.request<{ receipt: { erased: object } }>('DELETE', `${path}/sessions/monday`);
    expect(erased).toMatchObject({ status: 200, body: { receipt: { erased: { graphThreads: 1 } } } });
    expect(await valuesOf(any)).toHaveLength(2);
    expect((await stack.api.request('DELETE', path)).status).toBe(200);
    expect(await valuesOf(any)).toHaveLength(1);
    expect(await stack.inspector.rows('select from graph_blobs where memory_id = $1', [memoryId])).toHaveLength(1);
  });

  it('expire as a thread, as many days after its last checkpoint as events do', async () => {
    const { id: memoryId } = await stack.api.createMemory({ eventExpiryDuration: 2 });
    const any = saverOf(memoryId);
    await putOne(any, { thread_id: 'old', actor_id: 'ada' }, 'old');
    await putOne(any, { thread_id: 'fresh', actor_id: 'ada' }, 'fresh');
    const age = (days: number): Promise<unknown> =>
      stack.inspector.rows(
        `update graph_threads set touched_at = now() - make_interval(hours => $2) where memory_id = $1 and session_id = 'old' returning 1`,
        [memoryId, days],
      );
    await age(47);
    expect(await valuesOf(any)).toHaveLength(2);
    await age(49);
    expect(await valuesOf(any)).toEqual(['fresh']);
    // A new checkpoint does not bring the expired ones back.
    await putOne(any, { thread_id: 'old', actor_id: 'ada' }, 'new');
    expect(await valuesOf(any, { thread_id: 'old' })).toEqual(['new']);
  });
});

describe('the store of LangGraph', () => {
  const storeOf = (memoryId: string, more: object = {}): TurnkeeperStore =>
    new TurnkeeperStore({ baseUrl: stack.api.url, apiKey: stack.api.apiKey!, memoryId, ...more });
  const store = async (more: object = {}): Promise<TurnkeeperStore> =>
    storeOf((await stack.api.createMemory({})).id, more);

  it('answers 10,000 random operations like InMemoryStore', async () => {
    const seed = Number(process.env['TK_STORE_SEED'] ?? Date.now() % 2 ** 31);
    const random = randomFrom(seed);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
    const [ours, theirs] = [await store(), new InMemoryStore()];
    for (let round = 0; round < 200; round += 1) {
      const operations = Array.from({ length: 50 }, () => randomOperation(random, pick));
      const got = await ours.batch(operations);
      // Reads first, and copied: InMemoryStore returns its own items and changes them with the writes of the same batch.
      const reads = operations.filter((operation) => !('value' in operation));
      const expected = structuredClone((await theirs.batch(reads)) as unknown[]);
      await theirs.batch(operations.filter((operation) => 'value' in operation));
      for (const [at, operation] of operations.entries()) {
        const result = 'value' in operation ? undefined : expected.shift();
        const said = `seed ${seed}, round ${round}: ${JSON.stringify(operation)}`;
        expect(comparable(got[at]), said).toEqual(comparable(result));
      }
      if (round % 10 > 0) continue;
      // InMemoryStore also lists namespaces without items.
      const filled = (await theirs.search([], { limit: 1_000 })).map(({ namespace }) => namespace);
      for (const options of [{}, { prefix: [pick(LABELS)] }, { suffix: [pick(LABELS)] }, { maxDepth: 1 }]) {
        const listed = (await ours.listNamespaces({ ...options, limit: 1_000 })).map((each) => each.join(':'));
        const all = (await theirs.listNamespaces({ ...options, limit: 1_000 })).map((each) => each.join(':'));
        const known = new Set(filled.map((each) => each.slice(0, 'maxDepth' in options ? 1 : 3).join(':')));
        expect([...listed].sort(), `seed ${seed} ${JSON.stringify(options)}`).toEqual(
          all.filter((namespace) => known.has(namespace)).sort(),
        );
      }
    }
  }, 600_000);

  it('keeps user1 apart from user10, and compares texts in ranges', async () => {
    const items = await store();
    await items.put(['user1'], 'a', { at: '2026-01-05' });
    await items.put(['user10'], 'b', { at: '2026-02-05' });
    await items.put(['user1', 'notes'], 'c', { at: '2026-03-05' });
    expect((await items.search(['user1'])).map(({ key }) => key)).toEqual(['a', 'c']);
    const late = await items.search([], { filter: { at: { $gte: '2026-02-01', $lt: '2026-03-01' } } });
    expect(late.map(({ key }) => key)).toEqual(['b']);
  });

  it('ranks items by the words of a query, except those that were put without an index', async () => {
    const items = await store();
    await items.put(['facts'], 'food', { text: 'Linh likes spicy noodles.' });
    await items.put(['facts'], 'home', { text: 'Linh lives in Hue.' });
    await items.put(['facts'], 'hidden', { text: 'noodles noodles' }, false);
    await items.put(['facts'], 'titled', { title: 'Travel', text: 'noodles' }, ['title']);
    const found = await items.search(['facts'], { query: 'Which noodles does she like?' });
    expect(found[0]).toMatchObject({ key: 'food', score: expect.any(Number) });
    expect(found[0]!.score).toBeGreaterThan(0);
    expect(found.slice(1).map(({ score }) => score)).toEqual([0, 0, 0]);
  });

  it('takes any name as a key of an item, of a value and of a filter', async () => {
    const items = await store();
    const value = { '': 1, 'a.b': 2, $eq: 3, constructor: 4, nested: { '$ne ': [{ '': null }] } };
    await items.put(['n'], '__proto__', value);
    expect((await items.get(['n'], '__proto__'))?.value).toEqual(value);
    for (const [name, of] of Object.entries({ '': 1, 'a.b': 2, $eq: 3, constructor: 4 })) {
      expect(await items.search(['n'], { filter: { [name]: of } })).toHaveLength(1);
      expect(await items.search(['n'], { filter: { [name]: { $ne: of } } })).toHaveLength(0);
    }
  });

  it('forgets items after their time, and deletes those of an erased actor', async () => {
    const { id: memoryId } = await stack.api.createMemory({});
    const items = storeOf(memoryId, { ttlSeconds: 3_600 });
    await items.put(['old'], 'x', { n: 1 });
    await stack.inspector.rows(`update graph_items set expires_at = now() where memory_id = $1 returning 1`, [
      memoryId,
    ]);
    expect(await items.get(['old'], 'x')).toBeNull();
    await items.put(['old'], 'x', { n: 2 });
    await items.put(['memories', 'ada'], 'y', { n: 3 });
    const erased = await stack.api.request('DELETE', `/memory/memories/${memoryId}/actors/ada`);
    expect(erased).toMatchObject({ status: 200, body: { receipt: { erased: { graphItems: 1 } } } });
    expect((await items.search([])).map(({ value }) => value)).toEqual([{ n: 2 }]);
  });

  it('is shared by two graphs', async () => {
    const items = await store();
    const State = Annotation.Root({ said: Annotation<string>(), known: Annotation<string>() });
    const writer = new StateGraph(State)
      .addNode('note', async ({ said }, { store: shared }) => {
        await shared!.put(['notes', 'ada'], 'last', { said });
        return {};
      })
      .addEdge(START, 'note')
      .compile({ store: items });
    const reader = new StateGraph(State)
      .addNode('look', async (_, { store: shared }) => ({
        known: String((await shared!.get(['notes', 'ada'], 'last'))?.value['said']),
      }))
      .addEdge(START, 'look')
      .compile({ store: items });
    await writer.invoke({ said: 'I moved to Hue.' });
    expect(await reader.invoke({ said: '' })).toMatchObject({ known: 'I moved to Hue.' });
  });
});

/** mulberry32. */
const randomFrom = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const LABELS = ['a', 'b', 'user1', 'user10'];
const SCALARS = [0, 1, 2.5, -3, 'x', 'y', '', true, false, null];

const randomOperation = (random: () => number, pick: <T>(from: readonly T[]) => T): Operation => {
  const labels = (least: number): string[] =>
    Array.from({ length: least + Math.floor(random() * (3 - least)) }, () => pick(LABELS));
  const place = { namespace: labels(1), key: pick(['k1', 'k2', 'k3']) };
  const kind = random();
  if (kind < 0.35)
    return { ...place, value: { n: pick([0, 1, 2, 3]), s: pick(SCALARS), o: { deep: [1, pick(SCALARS)] } } };
  if (kind < 0.45) return { ...place, value: null };
  if (kind < 0.8) return place;
  const number = pick([0, 1, 2, 3]);
  const filter = pick<Record<string, unknown>>([
    {},
    { s: pick(SCALARS) },
    { missing: pick(SCALARS) },
    { n: { $gt: number } },
    { n: { $gte: number, $lt: 3 } },
    { n: { $lte: number, $ne: 0 } },
    { s: { $eq: pick(SCALARS) } },
    { s: { $ne: pick(SCALARS) } },
    { s: { $in: [pick(SCALARS), pick(SCALARS)] } },
    { s: { $nin: [pick(SCALARS)] }, n: number },
    { o: { $ne: 1 } },
  ]);
  return { namespacePrefix: labels(0), filter, limit: 1_000, offset: 0 };
};

/** Without times, in one order: InMemoryStore orders by the first use of a namespace, ours by that of the item. */
const comparable = (result: unknown): unknown => {
  if (result === null || result === undefined) return null;
  const plain = ({ namespace, key, value }: Item) => ({ id: [...namespace, key].join(':'), value });
  if (!Array.isArray(result)) return plain(result as Item);
  return (result as Item[]).map(plain).sort((a, b) => (a.id < b.id ? -1 : 1));
};
