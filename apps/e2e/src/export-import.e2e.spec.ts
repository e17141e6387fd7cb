import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { TurnkeeperSaver, TurnkeeperStore } from '@turnkeeper/langgraph';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Problem, RecordView, StoredEvent } from './harness/answers.js';
import { turn, type Api, type Session } from './harness/api.js';
import { Stack } from './harness/stack.js';

interface Imported {
  readonly memoryId: string;
  readonly events: number;
  readonly records: number;
}

describe('a memory that moves to another installation', () => {
  /** About 40 MB above an idle ingest (60 MB, a third of it the token counter's table), so that buffering shows. */
  const settings = { NODE_OPTIONS: '--max-old-space-size=160 --max-semi-space-size=4' };
  let from: Stack;
  let to: Stack;
  beforeAll(async () => {
    [from, to] = await Promise.all([Stack.start({ settings }), Stack.start({ settings })]);
  });
  afterAll(async () => {
    await Promise.all([from.stop(), to.stop()]);
  });

  const exported = async (api: Api, memoryId: string): Promise<Response> => {
    const response = await fetch(`${api.url}/v1/memories/${memoryId}/export`, {
      headers: { authorization: `Bearer ${api.apiKey}` },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('application/x-ndjson');
    return response;
  };
  const imported = async <T = Imported>(
    api: Api,
    body: string | ReadableStream,
    query = '',
  ): Promise<{ status: number; body: T }> => {
    const response = await fetch(`${api.url}/v1/memories:import${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.apiKey}`, 'content-type': 'application/x-ndjson' },
      body,
      duplex: 'half',
    } as RequestInit);
    return { status: response.status, body: (await response.json()) as T };
  };
  /** Properties of the memory, without those of the installation: log positions and arrival times. */
  const eventsOf = async (api: Api, session: Session) =>
    (await api.history(session)).map(({ id, sequence, payload, event_timestamp, turnId, metadata }: StoredEvent) => ({
      id,
      sequence,
      payload,
      turnId,
      metadata,
      at: new Date(event_timestamp).toISOString(),
    }));
  const recordsOf = async (api: Api, memoryId: string, strategyId: string): Promise<RecordView[]> => {
    const records: RecordView[] = [];
    for (let after = ''; ;) {
      const query = new URLSearchParams({
        longTermMemoryStrategyId: strategyId,
        includeSuperseded: 'true',
        limit: '1000',
        ...(after === '' ? {} : { after }),
      });
      const page = await api.request<RecordView[]>('GET', `/memory/memories/${memoryId}/memory-records?${query}`);
      records.push(...page.body);
      if (page.body.length < 1_000) return records.sort((a, b) => (a.id < b.id ? -1 : 1));
      after = page.body.at(-1)!.id;
    }
  };

  /** An extracted memory of several sessions with every event field. */
  const given = async (): Promise<{ memoryId: string; strategyId: string; sessions: Session[] }> => {
    const memory = await from.api.createMemory({
      name: 'to-move',
      eventExpiryDuration: 90,
      longTermMemoryStrategies: [{ name: 'facts', type: 'SEMANTIC' }],
    });
    const strategyId = memory.longTermMemoryStrategies[0]!.id;
    const sessions = ['monday', 'tuesday', 'thứ tư'].map((sessionId) => ({
      memoryId: memory.id,
      actorId: 'Đạt/Nguyễn',
      sessionId,
    }));
    for (const [index, session] of sessions.entries()) {
      await from.api.appendBatch(session, [
        turn('user', `I live in Hanoi. My dog is called Rex ${index}.`, {
          eventTimestamp: '2023-05-08T13:56:00+07:00',
          metadata: { speaker: 'Đạt', deep: [{ a: [1, 'x', null] }] },
          turnId: 7,
        }),
        turn('assistant', 'Noted: "quotes", \\ and 🌊.'),
        { payload: { type: 'BINARY', binaryData: Buffer.from([0, 255, 1, 10]).toString('base64') } },
      ]);
    }
    await from.api.append(sessions[0]!, turn('user', 'I moved to Hue.'));
    await from.api.untilExtracted(memory.id);
    return { memoryId: memory.id, strategyId, sessions };
  };

  it('is equal there, event for event and record for record, and stays unchanged', async () => {
    const { memoryId, strategyId, sessions } = await given();
    const file = await (await exported(from.api, memoryId)).text();
    const answer = await imported(to.api, file);
    expect(answer).toMatchObject({ status: 200, body: { memoryId } });

    for (const session of sessions) expect(await eventsOf(to.api, session)).toEqual(await eventsOf(from.api, session));
    const records = await recordsOf(from.api, memoryId, strategyId);
    expect(records.length).toBeGreaterThan(1);
    expect(await recordsOf(to.api, memoryId, strategyId)).toEqual(records);
    expect(answer.body).toMatchObject({ events: 10, records: records.length });
    const described = (api: Api) =>
      api
        .request<{ updatedAt: string; createdAt: string }>('GET', `/memory/memories/${memoryId}`)
        .then(({ body: { updatedAt: _, createdAt: __, ...memory } }) => memory);
    expect(await described(to.api)).toEqual(await described(from.api));
    expect(await (await exported(to.api, memoryId)).text()).toBe(file);

    // It is not extracted again; new messages are.
    await to.api.untilExtracted(memoryId);
    expect(await recordsOf(to.api, memoryId, strategyId)).toEqual(records);
    await to.api.append(sessions[1]!, turn('user', 'I have worked as a pilot since 2019.'));
    await to.api.untilExtracted(memoryId);
    const grown = await recordsOf(to.api, memoryId, strategyId);
    expect(grown.length).toBeGreaterThan(records.length);
    expect(grown.map(({ memory }) => memory).join()).toContain('pilot');
  });

  it('keeps the checkpoints and the items of agent graphs, and their times', async () => {
    const memory = await from.api.createMemory({ name: 'graphs', eventExpiryDuration: 90 });
    const saverAt = (api: Api, memoryId: string) =>
      new TurnkeeperSaver({ baseUrl: api.url, apiKey: api.apiKey!, memoryId, actorId: 'ada' });
    const storeAt = (api: Api, memoryId: string, more: object = {}) =>
      new TurnkeeperStore({ baseUrl: api.url, apiKey: api.apiKey!, memoryId, ...more });
    const saver = saverAt(from.api, memory.id);
    const graph = new StateGraph(Annotation.Root({ steps: Annotation<number>(), text: Annotation<string>() }))
      .addNode('step', ({ steps }) => ({ steps: steps + 1 }))
      .addEdge(START, 'step')
      .addConditionalEdges('step', ({ steps }) => (steps >= 5 ? END : 'step'))
      .compile({ checkpointer: saver });
    for (const thread of ['zebra', 'alpha']) {
      await graph.invoke({ steps: 0, text: 'kept \u{1F30A}' }, { configurable: { thread_id: thread } });
    }
    const fork = await graph.getState({ configurable: { thread_id: 'zebra' } });
    await graph.updateState(fork.parentConfig!, { steps: 100 });
    await storeAt(from.api, memory.id).put(['facts', 'ada'], 'home', { text: 'Linh lives in Hue.', n: [1, null] });
    await storeAt(from.api, memory.id).put(['facts'], 'hidden', { text: 'noodles' }, false);
    await storeAt(from.api, memory.id, { ttlSeconds: 3_600 }).put(['facts'], 'soon', { text: 'gone soon' });

    const file = await (await exported(from.api, memory.id)).text();
    // Each thread has its value twice, in the input's writes and in one checkpoint, and not in every checkpoint.
    const value = Buffer.from(JSON.stringify('kept \u{1F30A}')).toString('base64');
    expect(file.split(value)).toHaveLength(5);
    const cut = `${file.trimEnd().split('\n').slice(0, -4).join('\n')}\n`;
    expect(await imported<Problem>(to.api, cut)).toMatchObject({ status: 400, body: { code: 'import.cut_off' } });
    expect(await imported(to.api, file)).toMatchObject({ status: 200, body: { memoryId: memory.id } });

    const tuplesOf = async (api: Api) => {
      const tuples = [];
      for await (const tuple of saverAt(api, memory.id).list({ configurable: {} })) tuples.push(tuple);
      return tuples;
    };
    const tuples = await tuplesOf(from.api);
    expect(tuples.length).toBeGreaterThan(12);
    expect(await tuplesOf(to.api)).toEqual(tuples);
    const itemsOf = async (api: Api, query?: string) => {
      const found = await storeAt(api, memory.id).search(['facts'], query === undefined ? {} : { query });
      return found.sort((a, b) => (a.key < b.key ? -1 : 1));
    };
    expect(await itemsOf(to.api)).toEqual(await itemsOf(from.api));
    expect(await itemsOf(to.api, 'noodles in Hue')).toEqual(await itemsOf(from.api, 'noodles in Hue'));
    expect(await (await exported(to.api, memory.id)).text()).toBe(file);

    const { body: copy } = await imported(to.api, file, '?ids=new');
    const again = saverAt(to.api, copy.memoryId);
    expect((await again.getTuple({ configurable: { thread_id: 'alpha' } }))?.checkpoint.channel_values).toMatchObject({
      steps: 5,
      text: 'kept \u{1F30A}',
    });
  });

  it('continues there, and stores nothing twice', async () => {
    const { memoryId, sessions } = await given();
    const file = await (await exported(from.api, memoryId)).text();
    const lines = file.trimEnd().split('\n');
    const broken = await imported<Problem>(to.api, `${lines.slice(0, 7).join('\n')}\n`);
    expect(broken).toMatchObject({ status: 400, body: { code: 'import.cut_off' } });
    expect(await imported(to.api, file)).toMatchObject({ status: 200 });
    for (const session of sessions) expect(await eventsOf(to.api, session)).toEqual(await eventsOf(from.api, session));
    expect(await imported<Problem>(to.api, file)).toMatchObject({ status: 409, body: { code: 'memory.exists' } });
  });

  it('can be copied next to the original under new ids', async () => {
    const { memoryId, sessions } = await given();
    const file = await (await exported(from.api, memoryId)).text();
    const { body } = await imported(from.api, file, '?ids=new');
    expect(body.memoryId).not.toBe(memoryId);
    const copied = (await eventsOf(from.api, { ...sessions[0]!, memoryId: body.memoryId })).map(
      ({ id: _, ...event }) => event,
    );
    expect(copied).toEqual((await eventsOf(from.api, sessions[0]!)).map(({ id: _, ...event }) => event));
  });

  it('can have record and event ids of another tenant, whose memory stays unchanged and goes on', async () => {
    const { memoryId, strategyId, sessions } = await given();
    const before = await recordsOf(from.api, memoryId, strategyId);
    const file = await (await exported(from.api, memoryId)).text();
    const api = from.apiOf(from.ingests[0]!, await from.createKey({ tenant: 'another' }));
    const [copyId, copiedStrategyId] = [randomUUID(), randomUUID()];
    const copy = file.replaceAll(memoryId, copyId).replaceAll(strategyId, copiedStrategyId);
    expect(await imported(api, copy)).toMatchObject({
      status: 200,
      body: { memoryId: copyId, records: before.length },
    });

    expect(await recordsOf(from.api, memoryId, strategyId)).toEqual(before);
    const copies = await recordsOf(api, copyId, copiedStrategyId);
    expect(copies.map(({ id, memory }) => [id, memory])).toEqual(before.map(({ id, memory }) => [id, memory]));
    await from.api.append(sessions[0]!, turn('user', 'I have worked as a pilot since 2019.'));
    await from.api.untilExtracted(memoryId);
    expect((await recordsOf(from.api, memoryId, strategyId)).map(({ memory }) => memory).join()).toContain('pilot');
    expect(await recordsOf(api, copyId, copiedStrategyId)).toEqual(copies);
  });

  it('is rejected with the line and the field', async () => {
    const head = JSON.stringify({
      kind: 'memory',
      format: 1,
      memoryId: '00000000-0000-4000-8000-0000000000aa',
      name: 'n',
      description: '',
      eventExpiryDuration: 30,
    });
    for (const [body, line] of [
      ['', undefined],
      ['{"kind":"end","events":0,"records":0}\n', 1],
      ['not json\n', 1],
      [`${head.replace('"format":1', '"format":99')}\n`, 1],
      [`${head}\n{"kind":"event"}\n`, 2],
      [`${head}\n{"kind":"strange"}\n`, 2],
    ] as const) {
      const answer = await imported<Problem>(to.api, body);
      expect(answer.status, body).toBe(400);
      expect(answer.body['line'], body).toBe(line);
    }
    expect((await to.api.request('GET', '/memory/memories?size=100')).status).toBe(200);
    const asJson = await to.api.request<Problem>('POST', '/v1/memories:import', { body: {} });
    expect(asJson).toMatchObject({ status: 400, body: { code: 'import.line_invalid' } });
  });

  it('streams both ways: a large memory needs no more heap than a small one', async () => {
    const small = await peaksOf(10);
    const large = await peaksOf(100);
    console.log(`Highest resident MB while 10 and 100 MB move: ${JSON.stringify({ small, large })}.`);
    for (const side of [0, 1]) expect(large[side]! - small[side]!).toBeLessThan(30);
  }, 300_000);

  /** Peak MB of either side while a memory of this many MB moves. */
  const peaksOf = async (megabytes: number): Promise<[number, number]> => {
    const memory = await from.api.createMemory({ name: 'large' });
    const session = { memoryId: memory.id, actorId: 'a', sessionId: 's' };
    const filler = 'x'.repeat(20_000);
    for (let batch = 0; batch < megabytes; batch += 1) {
      await from.api.appendBatch(
        session,
        Array.from({ length: 50 }, (_, index) => turn('tool', `${batch}-${index} ${filler}`)),
      );
    }
    const peaks: [number, number] = [0, 0];
    const watch = setInterval(() => {
      for (const [side, stack] of [from, to].entries()) {
        void residentMegabytes(stack.ingests[0]!.pid).then((now) => (peaks[side] = Math.max(peaks[side]!, now)));
      }
    }, 20);
    const answer = await exported(from.api, memory.id)
      .then(({ body }) => imported(to.api, body!))
      .finally(() => clearInterval(watch));
    expect(answer).toMatchObject({ status: 200, body: { events: megabytes * 50 } });
    return peaks;
  };

  it('is equal for conversations of many sessions, page by page', async () => {
    const memory = await from.api.createMemory({
      name: 'many',
      longTermMemoryStrategies: [{ name: 'facts', type: 'SEMANTIC' }],
    });
    const strategyId = memory.longTermMemoryStrategies[0]!.id;
    const sessions = Array.from({ length: 120 }, (_, index) => ({
      memoryId: memory.id,
      actorId: `actor-${index % 4}`,
      sessionId: `session-${index}`,
    }));
    await Promise.all(
      sessions.map((session, index) =>
        from.api.appendBatch(
          session,
          Array.from({ length: index === 0 ? 220 : 12 }, (_, said) =>
            turn(said % 2 === 0 ? 'user' : 'assistant', `I live in Town${index}. My dog is called Rex${said}.`),
          ),
        ),
      ),
    );
    await from.api.untilExtracted(memory.id, 120_000);
    const records = await recordsOf(from.api, memory.id, strategyId);
    expect(records.length).toBeGreaterThan(50);
    const { body } = await imported(to.api, (await exported(from.api, memory.id)).body!);
    expect(body.events).toBe(220 + 119 * 12);
    for (const session of sessions) expect(await eventsOf(to.api, session)).toEqual(await eventsOf(from.api, session));
    expect(await recordsOf(to.api, memory.id, strategyId)).toEqual(records);
  }, 180_000);
});

const residentMegabytes = async (pid: number): Promise<number> => {
  const status = await readFile(join('/proc', String(pid), 'status'), 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1_024);
};
