import { randomUUID } from 'node:crypto';
import { eventually } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actionCases } from './agora-guide/actions.js';
import { bindingCases } from './agora-guide/binding.js';
import { AgoraClient, projectOf, type Task } from './agora-guide/client.js';
import { CONTENTS, CUSTOM, PLAIN, SYSTEM_MESSAGES } from './agora-guide/guide-data.js';
import { refusalCases } from './agora-guide/refusals.js';
import { surfaceCases } from './agora-guide/surface.js';
import type { Answer, RequestParts } from './harness/api.js';
import { jsonOf, startReceiver, type Receiver } from './harness/receiver.js';
import { runPage } from './harness/page-commands.js';
import { Stack } from './harness/stack.js';

describe("Agora's guide with only the host changed", () => {
  let stack: Stack;
  let receiver: Receiver;
  let memoryId: string;
  let agora: AgoraClient;

  beforeAll(async () => {
    [stack, receiver] = await Promise.all([Stack.start(), startReceiver()]);
    memoryId = (await stack.api.createMemory({})).id;
    await stack.api.createEndpoint(receiver.url, { format: 'agora', secret: 'k3y-of-the-console' });
    agora = new AgoraClient(stack, memoryId);
  });
  afterAll(async () => {
    await stack?.stop();
    await receiver?.close();
  });
  const call = <T>(method: string, path: string, body?: unknown, more: RequestParts = {}): Promise<Answer<T>> =>
    agora.call<T>(method, path, body, more);
  const started = (llm: object = {}, properties: object = {}): Promise<Task> => agora.started(llm, properties);
  const speak = (task: Task, contents: readonly unknown[]) => agora.speak(task, contents);
  const llmRequest = (task: Task, query = '') => agora.llmRequest(task, query);

  it('starts an agent with the same response as Agora', async () => {
    const { status, body } = await agora.join();
    expect(status).toBe(200);
    expect(body).toEqual({ agent_id: body.agent_id, create_ts: body.create_ts, status: 'RUNNING' });
    expect(Math.abs(body.create_ts - Date.now() / 1_000)).toBeLessThan(60);
  });

  it('returns the history unchanged', async () => {
    const task = await started();
    expect((await speak(task, CONTENTS)).status).toBe(200);
    const { status, body } = await call('GET', `/agents/${task.agent_id}/history`);
    expect(status).toBe(200);
    expect(body).toEqual({
      agent_id: task.agent_id,
      start_ts: task.create_ts,
      status: 'RUNNING',
      contents: CONTENTS,
    });
    expect((await stack.api.request('GET', `/v1/agents/${task.agent_id}/history`)).body).toMatchObject({
      contents: CONTENTS,
    });
  });

  it('accepts both generations of fields and returns them', async () => {
    const task = await started();
    const contents = [
      { role: 'user', content: '', speech_start_ms: 1751000003000, speech_end_ms: 1751000003150 },
      { role: 'user', content: 'now with new fields', speech_algorithmic_delay: 7, later: { and: ['more'] } },
    ];
    await speak(task, contents);
    expect((await call('GET', `/agents/${task.agent_id}/history`)).body).toMatchObject({ contents });
  });

  it('gives a plain vendor role and content', async () => {
    const task = await started({ vendor: 'openai' });
    await speak(task, CONTENTS);
    expect((await llmRequest(task)).body).toEqual(PLAIN);
  });

  it('gives a custom vendor every field', async () => {
    const task = await started({ vendor: 'custom', params: { model: 'xxxx' } });
    await speak(task, CONTENTS);
    expect((await llmRequest(task)).body).toEqual(CUSTOM);
  });

  it('adds times, names and the original model text on request', async () => {
    const task = await started();
    await speak(task, CONTENTS.slice(1, 3));
    const { body } = await llmRequest(task, '?times=true&users=true&original=true');
    expect(body).toEqual({
      messages: [
        { role: 'user', content: '[2023-03-15T17:27:15.000Z] user123: Can you tell me a joke?' },
        {
          role: 'assistant',
          content: `[2023-03-15T17:27:16.000Z] ${CONTENTS[2]!.metadata.original}`,
        },
      ],
    });
  });

  it('returns at most max_history messages', async () => {
    const task = await started({ max_history: 2 });
    await speak(task, CONTENTS);
    expect((await llmRequest(task)).body).toEqual({ messages: PLAIN.messages.slice(-2) });
    expect((await call('GET', `/agents/${task.agent_id}/history`)).body).toMatchObject({ contents: CONTENTS });
  });

  it('puts system messages first, and updates them while the agent runs', async () => {
    const task = await started({ system_messages: SYSTEM_MESSAGES });
    await speak(task, CONTENTS.slice(0, 1));
    const said = PLAIN.messages[0];
    expect((await llmRequest(task)).body).toEqual({ messages: [...SYSTEM_MESSAGES, said] });
    const now = [{ role: 'system', content: 'Speak like a pirate.' }];
    const update = {
      properties: { token: 'fresh', llm: { system_messages: now, params: { model: 'm', max_tokens: 9 } } },
    };
    const { status, body } = await call<Task>('POST', `/agents/${task.agent_id}/update`, update);
    expect([status, body]).toEqual([200, { ...task, state: 'RUNNING' }]);
    expect((await llmRequest(task)).body).toEqual({ model: 'm', max_tokens: 9, messages: [...now, said] });
    // Parameters are replaced as a whole.
    await call('POST', `/agents/${task.agent_id}/update`, { properties: { llm: { params: { model: 'n' } } } });
    expect((await llmRequest(task)).body).toEqual({ model: 'n', messages: [...now, said] });
    expect((await call('POST', `/agents/${task.agent_id}/update`, { properties: { token: 'only' } })).body).toEqual({
      ...task,
      state: 'RUNNING',
    });
  });

  it('sends the history as heard to the business server when the agent leaves', async () => {
    const task = await started({}, { labels: { memory_id: memoryId, actor_id: 'ada', desk: 42 } });
    await speak(task, CONTENTS);
    await speak(task, [
      { role: 'assistant', content: 'And they lived happily ever after.', metadata: { source: 'llm' } },
    ]);
    await stack.api.request('POST', `/v1/agents/${task.agent_id}/interrupt`, { body: { content: 'And they' } });
    const left = await call('POST', `/agents/${task.agent_id}/leave`, undefined, {
      headers: { 'content-type': 'application/json' },
    });
    expect([left.status, left.body]).toEqual([200, null]);
    type Notice = { eventType: number; productId: number; payload: { agent_id: string; [more: string]: unknown } };
    const notice = (): Notice | undefined =>
      receiver.received
        .map((webhook) => jsonOf<Notice>(webhook))
        .find(({ eventType, payload }) => eventType === 103 && payload.agent_id === task.agent_id);
    await eventually(() => notice() !== undefined, { what: 'the history arrives', withinMs: 30_000 });
    expect(notice()).toMatchObject({
      productId: 17,
      payload: {
        labels: { desk: 42 },
        channel: 'room-9',
        start_ts: task.create_ts,
        contents: [
          ...CONTENTS,
          {
            role: 'assistant',
            content: 'And they',
            metadata: { source: 'llm', interrupted: true, original: 'And they lived happily ever after.' },
          },
        ],
      },
    });
  });

  it('returns one agent and lists many', async () => {
    const name = `query-${randomUUID()}`;
    const app = projectOf(name);
    const api = <T>(method: string, path: string, body?: unknown) => agora.at<T>(`${app}${path}`, method, body);
    const tasks: Task[] = [];
    for (let index = 0; index < 5; index += 1) {
      const properties = { channel: index < 3 ? 'a' : 'b', labels: { memory_id: memoryId, actor_id: 'ada' } };
      tasks.push((await api<Task>('POST', '/join', { name: `${name} ${index}`, properties })).body);
    }
    await api('POST', `/agents/${tasks[0]!.agent_id}/leave`);
    await stack.api.request('POST', `/v1/agents/${tasks[1]!.agent_id}/fail`, { body: { reason: 'no sound' } });

    const [stopped, failed, running] = await Promise.all(
      tasks.slice(0, 3).map(({ agent_id }) => api<Record<string, unknown>>('GET', `/agents/${agent_id}`)),
    );
    expect(running!.body).toEqual({
      message: '',
      start_ts: tasks[2]!.create_ts,
      stop_ts: 0,
      name: `${name} 2`,
      status: 'RUNNING',
      agent_id: tasks[2]!.agent_id,
    });
    expect(stopped!.body).toMatchObject({ status: 'STOPPED', stop_ts: expect.any(Number) as number });
    expect(failed!.body).toMatchObject({ status: 'FAILED', message: 'no sound' });

    type List = { data: { count: number; list: Task[] }; meta: { cursor: string; total: number }; status: string };
    const list = async (query: string) => (await api<List>('GET', `/agents${query}`)).body;
    const idsOf = ({ data }: List) => data.list.map(({ agent_id }) => agent_id);
    const newest = tasks.map(({ agent_id }) => agent_id).reverse();
    expect(idsOf(await list(''))).toEqual(newest.slice(0, 3));
    expect(idsOf(await list('?state=2,4,6'))).toEqual(newest);
    expect(idsOf(await list('?state=4'))).toEqual([tasks[0]!.agent_id]);
    expect(idsOf(await list('?state=2,4,6&channel=a'))).toEqual(newest.slice(2));
    expect(idsOf(await list(`?to_time=${tasks[0]!.create_ts - 10}&state=2,4,6`))).toEqual([]);
    const paged: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: List = await list(`?state=2,4,6&limit=2&cursor=${cursor}`);
      expect(page).toMatchObject({ meta: { total: 5 }, status: 'ok' });
      paged.push(...idsOf(page));
      cursor = page.meta.cursor === '' ? null : page.meta.cursor;
    }
    expect(paged).toEqual(newest);
  });

  it('has a page whose commands work', async () => {
    const printed = await runPage('agora', {
      TURNKEEPER_URL: stack.api.url,
      TURNKEEPER_API_KEY: stack.api.apiKey!,
    });
    expect(printed.trim().split('\n')).toEqual([
      '[1,"assistant","Hello. What can I do for you?"]',
      '[2,"user","Move my appointment to Friday."]',
      '[1,"greeting","ok"]',
      '[2,"voice_input","ok"]',
      'RUNNING',
      expect.stringContaining('"Answer in one sentence."') as string,
      'appointment to Friday',
    ]);
  });

  bindingCases(() => agora);
  refusalCases(() => agora);
  actionCases(() => agora);
  surfaceCases(() => agora);
});
