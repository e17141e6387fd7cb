import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { uuid6, type Checkpoint } from '@langchain/langgraph-checkpoint';
import { TurnkeeperSaver } from '@turnkeeper/langgraph';
import * as vitest from 'vitest';
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
  return saverOf(id);
};
const saverOf = (memoryId: string, actorId?: string): TurnkeeperSaver =>
  new TurnkeeperSaver({
    ...{ url: stack.api.url, apiKey: stack.api.apiKey!, memoryId },
    ...(actorId === undefined ? {} : { actorId }),
  });

describe('checkpoints of LangGraph', () => {
  beforeAll(start);
  afterAll(() => stack?.stop());

  // Each checkpointer has a memory of its own.
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
    ...{ v: 4, id, ts: new Date(0).toISOString(), versions_seen: {} },
    ...{ channel_values: { said: value }, channel_versions: { said: version } },
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
    const stranger = new TurnkeeperSaver({ url: stack.api.url, apiKey, memoryId, actorId: 'ada' });
    await expect(putOne(stranger, thread)).rejects.toMatchObject({ code: 'memory.not_found' });
    await expect(valuesOf(stranger, thread)).rejects.toMatchObject({ code: 'memory.not_found' });
    await saverOf(memoryId, 'ada').deleteThread('shared');
    expect(await valuesOf(saverOf(memoryId))).toEqual(['of bob']);
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
    await putOne(any, { thread_id: 'old' }, 'old');
    await putOne(any, { thread_id: 'fresh' }, 'fresh');
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
    await putOne(any, { thread_id: 'old' }, 'new');
    expect(await valuesOf(any, { thread_id: 'old' })).toEqual(['new']);
  });
});
