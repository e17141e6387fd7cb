import { randomUUID } from 'node:crypto';
import { eventually } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, RequestParts, Session } from './harness/api.js';
import { jsonOf, startReceiver, type Receiver } from './harness/receiver.js';
import { Stack } from './harness/stack.js';

/** The data of the example in Agora's guide on short-term memory ("Understand the tech"). */
const CONTENTS = [
  {
    role: 'assistant',
    content: 'How can I help you today?',
    turn_id: 1,
    timestamp: 1678901234,
    metadata: { source: 'greeting' },
  },
  {
    role: 'user',
    content: 'Can you tell me a joke?',
    turn_id: 2,
    timestamp: 1678901235,
    metadata: { source: 'asr', user: 'user123' },
  },
  {
    role: 'assistant',
    content: 'Why did the scarecrow ',
    turn_id: 2,
    timestamp: 1678901236,
    metadata: {
      interrupted: true,
      interrupt_timestamp: 1678905225,
      original: 'Why did the scarecrow win an award? Because he was outstanding in his field!',
      source: 'llm',
    },
  },
  {
    role: 'user',
    content: 'You know what? Tell me a story instead.',
    turn_id: 3,
    timestamp: 1678905235,
    metadata: { source: 'asr', user: 'user123' },
  },
  {
    role: 'assistant',
    content: 'Once upon a time in a land far away, there lived a brave knight who fought dragons and saved princesses.',
    turn_id: 3,
    timestamp: 1678905236,
    metadata: { source: 'llm' },
  },
  {
    role: 'assistant',
    content: 'Are you still there?',
    turn_id: 4,
    timestamp: 1678905236,
    metadata: { source: 'command' },
  },
];
const PLAIN = { messages: CONTENTS.map(({ role, content }) => ({ role, content })) };
const CUSTOM = { messages: CONTENTS, turn_id: 4, timestamp: 1678905236, interruptable: true, model: 'xxxx' };
/** The data of "Convert to long-term memory". */
const SYSTEM_MESSAGES = [
  { role: 'system', content: 'You are a helpful assistant. xxx' },
  {
    role: 'system',
    content: 'Previously, user has talked about their favorite hobbies with some key topics: xxx',
  },
];

const APP = '1f2e3d';
const PROJECT = `/api/conversational-ai-agent/v2/projects/${APP}`;

interface Task {
  readonly agent_id: string;
  readonly create_ts: number;
  readonly status: string;
}
interface Refusal {
  readonly detail: string;
  readonly reason: string;
}

describe("Agora's guide with only the host changed", () => {
  let stack: Stack;
  let receiver: Receiver;
  let memoryId: string;
  let authorization: string;
  let names = 0;

  beforeAll(async () => {
    [stack, receiver] = await Promise.all([Stack.start(), startReceiver()]);
    memoryId = (await stack.api.createMemory({})).id;
    await stack.api.createEndpoint(receiver.url, { format: 'agora', secret: 'k3y-of-the-console' });
    // Agora's customer id and secret: the two parts of an API key.
    const [, keyId, secret] = stack.api.apiKey!.split('_');
    authorization = `Basic ${Buffer.from(`${keyId}:${secret}`).toString('base64')}`;
  });
  afterAll(async () => {
    await stack?.stop();
    await receiver?.close();
  });

  const call = <T>(method: string, path: string, body?: unknown, more: RequestParts = {}): Promise<Answer<T>> =>
    stack.api.request<T>(method, `${PROJECT}${path}`, {
      ...(body === undefined ? {} : { body }),
      ...more,
      headers: { authorization, ...more.headers },
    });
  const join = (llm: object = {}, properties: object = {}): Promise<Answer<Task>> =>
    call<Task>('POST', '/join', {
      name: `desk-${(names += 1)}`,
      properties: {
        channel: 'room-9',
        token: 'rtc token',
        agent_rtc_uid: '0',
        remote_rtc_uids: ['*'],
        labels: { memory_id: memoryId, user_id: 'user123' },
        llm: { url: 'https://llm.example.com/chat', api_key: 'sk-not-kept', style: 'openai', ...llm },
        tts: { vendor: 'any' },
        ...properties,
      },
    });
  const started = async (llm: object = {}, properties: object = {}): Promise<Task> =>
    (await join(llm, properties)).body;
  const speak = (task: Task, contents: readonly unknown[]) =>
    call<Task>('POST', `/agents/${task.agent_id}/history`, { contents });
  const llmRequest = (task: Task, query = '') =>
    stack.api.request('GET', `/v1/agents/${task.agent_id}/llm-request${query}`);

  it('starts an agent with the same response as Agora', async () => {
    const { status, body } = await join();
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
    expect([status, body]).toEqual([200, task]);
    expect((await llmRequest(task)).body).toEqual({ model: 'm', max_tokens: 9, messages: [...now, said] });
    // Parameters are replaced as a whole.
    await call('POST', `/agents/${task.agent_id}/update`, { properties: { llm: { params: { model: 'n' } } } });
    expect((await llmRequest(task)).body).toEqual({ model: 'n', messages: [...now, said] });
    expect((await call('POST', `/agents/${task.agent_id}/update`, { properties: { token: 'only' } })).body).toEqual(
      task,
    );
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
    const app = `${PROJECT.replace(APP, name)}`;
    const api = <T>(method: string, path: string, body?: unknown) =>
      stack.api.request<T>(method, `${app}${path}`, {
        ...(body === undefined ? {} : { body }),
        headers: { authorization },
      });
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

  describe('binds an agent by its labels', () => {
    const sessionOf = async (labels: object, app = PROJECT): Promise<Session & { status: number }> => {
      const body = { name: `bound-${randomUUID()}`, properties: { labels } };
      const { status, body: task } = await stack.api.request<Task>('POST', `${app}/join`, {
        body,
        headers: { authorization },
      });
      if (status !== 200) return { status, memoryId: '', actorId: '', sessionId: '' };
      const { memoryId, actorId, sessionId } = (await stack.api.request<Session>('GET', `/v1/agents/${task.agent_id}`))
        .body;
      return { status, memoryId, actorId, sessionId: sessionId === task.agent_id ? 'its own' : sessionId };
    };

    it('to memory, actor and session', async () => {
      expect(
        await sessionOf({ memory_id: memoryId, actor_id: 'ada', user_id: 'not me', session_id: 'monday' }),
      ).toEqual({
        status: 200,
        memoryId,
        actorId: 'ada',
        sessionId: 'monday',
      });
    });

    it('to a new session if they name none; ids can be numbers', async () => {
      expect(await sessionOf({ memory_id: memoryId, user_id: 7 })).toMatchObject({
        actorId: '7',
        sessionId: 'its own',
      });
    });

    it('to the memory registered for the app, never to an arbitrary one', async () => {
      const app = PROJECT.replace(APP, 'registered');
      const labels = { actor_id: 'ada' };
      expect(await sessionOf(labels, app)).toMatchObject({ status: 400 });
      const registered = await stack.api.request('PUT', '/v1/vendor-apps/agora/registered', { body: { memoryId } });
      expect(registered.status).toBe(200);
      expect(await sessionOf(labels, app)).toMatchObject({ status: 200, memoryId });
    });

    it('never to a default actor', async () => {
      const { status, body } = await join({}, { labels: { memory_id: memoryId } });
      expect([status, body]).toEqual([400, { detail: expect.any(String) as string, reason: 'MissingRequiredField' }]);
    });
  });

  describe("returns errors in Agora's envelope", () => {
    const refusal = ({ status, body }: Answer, expected: readonly [number, string]) => {
      expect([status, body]).toEqual([
        expected[0],
        { detail: expect.stringMatching(/\S/) as string, reason: expected[1] },
      ]);
    };

    it('for a name in use', async () => {
      const body = { name: 'twice', properties: { labels: { memory_id: memoryId, actor_id: 'ada' } } };
      expect((await call('POST', '/join', body)).status).toBe(200);
      refusal(await call<Refusal>('POST', '/join', body), [409, 'TaskConflict']);
    });

    it('for an agent that is unknown, of another app, or gone', async () => {
      const task = await started();
      for (const id of [randomUUID(), 'nonsense']) {
        for (const [method, path] of [
          ['GET', ''],
          ['GET', '/history'],
          ['POST', '/leave'],
          ['POST', '/update'],
        ] as const) {
          const body = path === '/update' ? { properties: {} } : undefined;
          refusal(await call(method, `/agents/${id}${path}`, body), [404, 'TaskNotFound']);
        }
      }
      const elsewhere = `${PROJECT.replace(APP, 'other')}/agents/${task.agent_id}`;
      refusal(await stack.api.request('GET', elsewhere, { headers: { authorization } }), [404, 'TaskNotFound']);
      await call('POST', `/agents/${task.agent_id}/leave`);
      refusal(await call('POST', `/agents/${task.agent_id}/leave`), [404, 'TaskNotFound']);
      refusal(await call('GET', `/agents/${task.agent_id}/history`), [404, 'TaskNotFound']);
    });

    it('for an unreadable body', async () => {
      refusal(await call('POST', '/join', undefined, { raw: '{"name":' }), [400, 'InvalidRequestBody']);
      refusal(await call('POST', '/join', { properties: {} }), [400, 'InvalidRequestBody']);
      refusal(await join({ max_history: 0 }), [400, 'InvalidRequestBody']);
      refusal(await join({}, { labels: { memory_id: randomUUID(), actor_id: 'a' } }), [400, 'InvalidFieldValue']);
      refusal(await call('GET', '/agents?cursor=bogus'), [400, 'InvalidRequestBody']);
      refusal(await call('GET', '/no-such-thing'), [404, 'NotImplemented']);
    });

    it('for a message that contradicts itself', async () => {
      const task = await started();
      const message = { role: 'user', content: 'hi', metadata: { source: 'llm' } };
      refusal(await speak(task, [message]), [400, 'InvalidFieldValue']);
      expect((await call('GET', `/agents/${task.agent_id}/history`)).body).toMatchObject({ contents: [] });
    });

    it('for an unauthorised caller', async () => {
      const as = (authorization: string) => call('GET', '/agents', undefined, { headers: { authorization } });
      for (const bad of ['Basic nonsense', `Basic ${Buffer.from('a:b').toString('base64')}`, 'agora token=x']) {
        refusal(await as(bad), [401, 'InvalidPermission']);
      }
      expect((await as(`Bearer ${stack.api.apiKey}`)).status).toBe(200);
      const reader = await stack.createKey({ scopes: ['agents:read'] });
      const body = { name: 'no', properties: { labels: { memory_id: memoryId, actor_id: 'ada' } } };
      const headers = { authorization: `Bearer ${reader}` };
      refusal(await call('POST', '/join', body, { headers }), [403, 'InvalidPermission']);
    });
  });
});
