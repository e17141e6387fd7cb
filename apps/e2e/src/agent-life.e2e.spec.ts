import { randomUUID } from 'node:crypto';
import { eventually } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentView, Appended, ListView, Problem } from './harness/answers.js';
import { turn, type Answer, type Session } from './harness/api.js';
import { jsonOf, startReceiver, type Receiver } from './harness/receiver.js';
import { Stack } from './harness/stack.js';
import { raceWithStop, type Race } from './harness/stop-race.js';

/** Over HTTP, on two processes. stop-races.int.spec.ts runs a thousand on the store. */
const RACES = 300;
const RACES_AT_ONCE = 12;
/** How much earlier appends are sent relative to the stop after a lost race, or later after a won one. */
const STEP_MS = 10;

interface Message {
  readonly role: string;
  readonly content: string;
  readonly turn_id?: number;
  readonly metadata?: Readonly<Record<string, unknown>>;
}
interface LlmRequest {
  readonly messages: readonly Message[];
}

describe("an agent's life cycle", () => {
  let stack: Stack;
  let receiver: Receiver;
  let memoryId: string;
  let names = 0;

  beforeAll(async () => {
    [stack, receiver] = await Promise.all([Stack.start(), startReceiver()]);
    memoryId = (await stack.api.createMemory({})).id;
    await stack.api.createEndpoint(receiver.url, {
      format: 'agora',
      secret: 'k3y-of-the-console',
      events: ['agent.stopped', 'agent.history'],
    });
  });
  afterAll(async () => {
    await stack?.stop();
    await receiver?.close();
  });

  const newSession = (): Session => ({ memoryId, actorId: 'ada', sessionId: `call ${(names += 1)}` });
  const start = (more: Record<string, unknown> = {}): Promise<AgentView> =>
    stack.api.startAgent(newSession(), `agent ${names}`, more);
  const on = <T>(
    agent: AgentView,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) =>
    stack.api.request<T>(method, `/v1/agents/${agent.id}${path}`, {
      ...(body === undefined ? {} : { body }),
      headers,
    });
  const fine = async <T>(answer: Promise<Answer<T>>): Promise<T> => {
    const { status, body } = await answer;
    if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body;
  };
  const say = (agent: AgentView, ...contents: Partial<Message>[]) =>
    fine(on<{ messages: Appended[] }>(agent, 'POST', '/messages', { contents }));
  const history = async (agent: AgentView) =>
    (await fine(on<{ contents: Message[] }>(agent, 'GET', '/history'))).contents;
  const window = async (agent: AgentView, query = '') =>
    (await fine(on<LlmRequest>(agent, 'GET', `/llm-request${query}`))).messages;
  const state = (agent: AgentView) => fine(on<Record<string, unknown>>(agent, 'GET', ''));

  it('goes from start to stop: forty turns, three interruptions of both kinds, an update, a reset', async () => {
    const agent = await start({ maxHistory: 10, systemMessages: [{ role: 'system', content: 'Be kind.' }] });
    for (let at = 1; at <= 40; at += 1) {
      const inline = at === 10 ? { interrupted: true, interrupt_timestamp: 1, original: 'all of answer 10' } : {};
      await say(
        agent,
        { role: 'user', content: `question ${at}`, turn_id: at, metadata: { source: 'asr' } },
        { role: 'assistant', content: `answer ${at}`, turn_id: at, metadata: { source: 'llm', ...inline } },
      );
      if (at === 20 || at === 39)
        await fine(on(agent, 'POST', '/interrupt', { content: 'ans', interruptTimestamp: at }));
      if (at === 25) {
        await fine(on(agent, 'POST', '/update', { systemMessages: [{ role: 'system', content: 'Be brief.' }] }));
      }
      if (at === 37) await fine(on(agent, 'POST', '/reset'));
    }
    expect((await window(agent)).map(({ content }) => content)).toEqual([
      'Be brief.',
      ...['question 38', 'answer 38', 'question 39', 'ans', 'question 40', 'answer 40'],
    ]);
    const said = await history(agent);
    expect(said).toHaveLength(80);
    const cut = said.filter(({ metadata }) => metadata?.['interrupted'] === true);
    expect(cut.map(({ content, metadata }) => [content, metadata!['original']])).toEqual([
      ['answer 10', 'all of answer 10'],
      ['ans', 'answer 20'],
      ['ans', 'answer 39'],
    ]);
    await stack.api.stopAgent(agent.id);
    expect(await state(agent)).toMatchObject({
      status: 'stopped',
      stopReason: 'requested',
      systemMessages: [{ role: 'system', content: 'Be brief.' }],
      startedSequence: 1,
      stoppedSequence: 1 + 80 + 2 + 1 + 1 + 1,
    });
    expect(await history(agent)).toEqual(said);
  });

  it('has a unique name while it runs', async () => {
    const agent = await start();
    const name = `agent ${names}`;
    const again = () => stack.api.request<Problem>('POST', '/v1/agents', { body: { ...newSession(), name } });
    const taken = await again();
    expect([taken.status, taken.body.code]).toEqual([409, 'agent.name_taken']);
    await fine(on(agent, 'POST', '/fail', { reason: 'no microphone' }));
    expect((await again()).status).toBe(201);
  });

  it('reports to the business server how it ended', async () => {
    type Left = { eventType: number; payload: { agent_id: string; status?: string; message?: string } };
    const leftOf = ({ id: agentId }: AgentView) =>
      receiver.received
        .map((webhook) => jsonOf<Left>(webhook))
        .find(({ eventType, payload }) => eventType === 102 && payload.agent_id === agentId)?.payload;
    const [stopped, failed, silent] = [await start(), await start(), await start({ idleTimeoutSeconds: 1 })];
    await stack.api.stopAgent(stopped.id);
    await fine(on(failed, 'POST', '/fail', { reason: 'no microphone' }));
    await eventually(() => [stopped, failed, silent].every((agent) => leftOf(agent) !== undefined), {
      withinMs: 30_000,
      what: 'all three were told about',
    });
    expect(leftOf(stopped)).toMatchObject({ status: 'STOPPED', message: 'OK' });
    expect(leftOf(failed)).toMatchObject({ status: 'FAILED', message: 'no microphone' });
    expect(leftOf(silent)).toMatchObject({ status: 'STOPPED', message: 'Idle for too long' });
    expect(await state(silent)).toMatchObject({ status: 'stopped', stopReason: 'idle' });
  });

  it('is not stopped as idle while turns arrive', async () => {
    const agent = await start({ idleTimeoutSeconds: 2 });
    const end = Date.now() + 5_000;
    while (Date.now() < end) {
      await say(agent, { role: 'user', content: 'still here' });
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(await state(agent)).toMatchObject({ status: 'running' });
    await eventually(async () => (await state(agent))['status'] === 'stopped', {
      withinMs: 20_000,
      what: 'silence ends it',
    });
  });

  it('receives the messages of its session from every route', async () => {
    const session = newSession();
    await stack.api.append(session, turn('user', 'before it started'));
    const agent = await stack.api.startAgent(session, `agent ${names}`);
    await stack.api.append(session, turn('user', 'through the session'));
    await say(agent, { role: 'assistant', content: 'through the agent' });
    expect((await history(agent)).map(({ content }) => content)).toEqual(['through the session', 'through the agent']);
    const loading = await stack.api.startAgent(session, `loading ${names}`, { loadHistory: 2 });
    expect((await window(loading)).map(({ content }) => content)).toEqual(['through the session', 'through the agent']);
    expect(await history(loading)).toEqual([]);
  });

  it('never returns a tool call without its results', async () => {
    const agent = await start({ maxHistory: 4 });
    const calls = ['hue', 'hanoi'].map((id) => ({
      id,
      type: 'function',
      function: { name: 'weather', arguments: '{}' },
    }));
    await say(
      agent,
      { role: 'user', content: 'What is the weather?' },
      { role: 'assistant', content: null as unknown as string, tool_calls: calls } as Partial<Message>,
      { role: 'tool', content: 'rain', tool_call_id: 'hue' } as Partial<Message>,
    );
    expect(await window(agent)).toEqual([{ role: 'user', content: 'What is the weather?' }]);
    await say(agent, { role: 'tool', content: 'sun', tool_call_id: 'hanoi' } as Partial<Message>);
    const group = [
      { role: 'assistant', content: '', tool_calls: calls },
      { role: 'tool', content: 'rain', tool_call_id: 'hue' },
      { role: 'tool', content: 'sun', tool_call_id: 'hanoi' },
    ];
    expect(await window(agent)).toEqual([{ role: 'user', content: 'What is the weather?' }, ...group]);
    await say(agent, { role: 'assistant', content: 'Rain and sun.' });
    expect(await window(agent)).toEqual([...group, { role: 'assistant', content: 'Rain and sun.' }]);
    await say(agent, { role: 'user', content: 'Thanks.' });
    expect((await window(agent)).map(({ content }) => content)).toEqual(['Rain and sun.', 'Thanks.']);
  });

  it('gives its model memories of the user, as notes and not as instructions', async () => {
    const remembering = await stack.api.createMemory({
      longTermMemoryStrategies: [{ name: 'facts', type: 'SEMANTIC' }],
    });
    const strategy = remembering.longTermMemoryStrategies[0]!;
    const session = { ...newSession(), memoryId: remembering.id };
    await stack.api.append(session, turn('user', 'I live in Hue. My dog is called Rex.'));
    await stack.api.untilExtracted(remembering.id);
    const namespace = strategy.namespaceTemplate.replace('{memoryStrategyId}', strategy.id).replace('{actorId}', 'ada');
    expect((await stack.api.records(remembering.id, namespace)).length).toBeGreaterThan(0);
    const agent = await stack.api.startAgent({ ...session, sessionId: 'later' }, `remembers ${names}`, {
      systemMessages: [{ role: 'system', content: 'Be kind.' }],
    });
    await say(agent, { role: 'user', content: 'What is my dog called?' });
    const [prompt, notes, question] = await window(agent);
    expect(prompt).toEqual({ role: 'system', content: 'Be kind.' });
    expect(notes!.role).toBe('system');
    expect(notes!.content).toMatch(/not instructions[\s\S]*<memory>\n[\s\S]*^\[\d+\] .*Rex[\s\S]*<\/memory>$/m);
    expect(question).toEqual({ role: 'user', content: 'What is my dog called?' });
    expect(await window(agent, '?memories=0')).toEqual([prompt, question]);
    expect((await window(agent, '?memories=1'))[1]!.content.match(/^\[\d+\] /gm)).toHaveLength(1);
    const stranger = await stack.api.startAgent({ ...session, actorId: 'bob' }, `stranger ${names}`);
    expect(await window(stranger)).toEqual([]);
  });

  it('returns the first response for a repeated append or interruption', async () => {
    const agent = await start();
    const once = (path: string, body: unknown) => fine(on(agent, 'POST', path, body, { 'idempotency-key': 'once' }));
    const contents = [{ role: 'assistant', content: 'Hello there.' }];
    const first = await once('/messages', { contents });
    expect(await once('/messages', { contents })).toEqual(first);
    const cut = await once('/interrupt', { content: 'Hello' });
    await say(agent, { role: 'assistant', content: 'Something else.' });
    expect(await once('/interrupt', { content: 'Hello' })).toEqual(cut);
    expect((await history(agent)).map(({ content }) => content)).toEqual(['Hello', 'Something else.']);
    const other = await on<Problem>(agent, 'POST', '/messages', { contents: [] }, { 'idempotency-key': 'once' });
    expect(other.status).toBe(400);
    const differs = { contents: [{ role: 'user', content: 'other' }] };
    const refused = await on<Problem>(agent, 'POST', '/messages', differs, { 'idempotency-key': 'once' });
    expect([refused.status, refused.body.code]).toEqual([422, 'idempotency.body_differs']);
  });

  it('is listed by memory, actor and session', async () => {
    const session = newSession();
    const agents: AgentView[] = [];
    for (let index = 0; index < 3; index += 1)
      agents.push(await stack.api.startAgent(session, `listed ${randomUUID()}`));
    await stack.api.stopAgent(agents[0]!.id);
    const list = async (more: Record<string, string>) => {
      const query = new URLSearchParams({ sessionId: session.sessionId, ...more });
      const { items, next } = await fine(stack.api.request<ListView<AgentView>>('GET', `/v1/agents?${query}`));
      return [items.map(({ id: agentId }) => agents.findIndex((agent) => agent.id === agentId)), next] as const;
    };
    expect(await list({})).toEqual([[2, 1, 0], null]);
    expect(await list({ status: 'stopped' })).toEqual([[0], null]);
    const [newest, next] = await list({ status: 'running', limit: '1' });
    expect(newest).toEqual([2]);
    expect(await list({ status: 'running', limit: '1', after: next ?? '' })).toEqual([[1], null]);
    expect(await list({ actorId: 'bob' })).toEqual([[], null]);
    expect(await list({ memoryId, actorId: 'ada' })).toEqual([[2, 1, 0], null]);
  });

  it('rejects invalid requests, naming the field', async () => {
    const agent = await start();
    const refused = async (path: string, body: unknown, code: string, field?: string) => {
      const { body: problem } = await on<Problem>(agent, 'POST', path, body);
      expect([problem.code, ...(field === undefined ? [] : [problem.field])]).toEqual([
        code,
        ...(field === undefined ? [] : [field]),
      ]);
    };
    await refused('/interrupt', {}, 'message.nothing_to_interrupt');
    await say(agent, { role: 'assistant', content: 'short' });
    await refused('/interrupt', { content: 'much longer than that' }, 'message.heard_too_much');
    await refused('/interrupt', { content: 'x' }, 'message.heard_differs');
    await refused('/update', {}, 'payload.invalid', 'systemMessages');
    await refused('/fail', {}, 'payload.invalid', 'reason');
    await refused('/messages', { contents: [{ role: 'user' }] }, 'payload.invalid', 'contents.0.content');
    const fromLlm = { role: 'user', content: 'x', metadata: { source: 'llm' } };
    await refused('/messages', { contents: [fromLlm] }, 'message.invalid', 'contents.0.metadata.source');
    await stack.api.stopAgent(agent.id);
    for (const [path, body] of [
      ['/messages', { contents: [{ role: 'user', content: 'late' }] }],
      ['/interrupt', {}],
      ['/reset', {}],
      ['/update', { params: {} }],
      ['/fail', { reason: 'late' }],
      ['/stop', {}],
    ] as const) {
      await refused(path, body, 'agent.not_running');
    }
  });

  it(`loses no acknowledged message in ${RACES} races of appends with a stop on another ingest`, async () => {
    const apiKey = await stack.createKey({ tenant: 'races' });
    const [one, other] = [stack.ingests[0]!, await stack.startIngest()].map((ingest) => stack.apiOf(ingest, apiKey));
    for (const format of ['standard', 'agora'])
      await one!.createEndpoint(receiver.url, { format, events: ['agent.history'] });
    const place = { memoryId: (await one!.createMemory({})).id, actorId: 'ada' };
    const races: Race[] = [];
    const lane = async (number: number): Promise<void> => {
      let leadMs = 0;
      for (let index = number; index < RACES; index += RACES_AT_ONCE) {
        const agent = await one!.startAgent({ ...place, sessionId: `race ${index}` }, `race ${index}`);
        const race = await raceWithStop({ agent, appendTo: one!, stopAt: other!, leadMs });
        races.push(race);
        // The stop must overlap the appends on any machine.
        leadMs += race.refused > 0 ? STEP_MS : -STEP_MS;
      }
    };
    await Promise.all(Array.from({ length: RACES_AT_ONCE }, (_, number) => lane(number)));
    expect(races).toHaveLength(RACES);
    // Otherwise there was no race.
    const [lost, won] = [
      races.filter(({ refused }) => refused > 0),
      races.filter((race) => race.acknowledged.length > 0),
    ];
    expect(lost.length).toBeGreaterThan(RACES / 10);
    expect(won.length).toBeGreaterThan(RACES / 10);

    type Told = {
      type?: string;
      data?: { agentId: string; contents: Message[] };
      eventType?: number;
      payload?: { agent_id: string; contents: Message[] };
    };
    const told = new Map<string, string>();
    let read = 0;
    const readWebhooks = (): number => {
      for (; read < receiver.received.length; read += 1) {
        const { type, data, eventType, payload } = jsonOf<Told>(receiver.received[read]!);
        const contents = (data?.contents ?? payload?.contents ?? []).map(({ content }) => content);
        told.set(`${type ?? eventType} ${data?.agentId ?? payload?.agent_id}`, contents.join('|'));
      }
      return read;
    };
    const expected = races.flatMap(({ agentId, acknowledged }) =>
      ['agent.history', '103'].map((kind) => [`${kind} ${agentId}`, acknowledged.join('|')] as const),
    );
    await eventually(() => readWebhooks() > 0 && expected.every(([key]) => told.has(key)), {
      withinMs: 120_000,
      everyMs: 100,
      what: () => `${expected.length} histories arrive; ${read} webhooks so far`,
    });
    expect(expected.filter(([key, contents]) => told.get(key) !== contents)).toEqual([]);
  }, 300_000);

  it('is invisible to other tenants', async () => {
    const agent = await start();
    const other = stack.apiOf(stack.ingests[0]!, await stack.createKey({ tenant: 'globex' }));
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['GET', '/history', undefined],
      ['GET', '/llm-request', undefined],
      ['POST', '/messages', { contents: [{ role: 'user', content: 'x' }] }],
      ['POST', '/interrupt', {}],
      ['POST', '/reset', {}],
      ['POST', '/update', { params: {} }],
      ['POST', '/fail', { reason: 'x' }],
      ['POST', '/stop', {}],
    ] as const) {
      const answer = await other.request<Problem>(
        method,
        `/v1/agents/${agent.id}${path}`,
        body === undefined ? {} : { body },
      );
      expect([answer.status, answer.body.code], path).toEqual([404, 'agent.not_found']);
    }
    expect((await other.request<ListView<AgentView>>('GET', '/v1/agents')).body.items).toEqual([]);
    expect(await state(agent)).toMatchObject({ status: 'running' });
  });
});
