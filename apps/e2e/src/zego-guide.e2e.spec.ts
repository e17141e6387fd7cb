import { createHash, randomBytes } from 'node:crypto';
import { ZEGO_ACTION_NAMES } from '@turnkeeper/vendors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListView } from './harness/answers.js';
import { differences } from './harness/conforms.js';
import { runPage } from './harness/page-commands.js';
import { Stack } from './harness/stack.js';

/** The data of the examples in ZEGOCLOUD's guide on short-term memory. */
const GIVEN = {
  SyncMode: 1,
  Messages: [
    { Role: 'user', Content: "What's your name?" },
    { Role: 'assistant', Content: 'My name is Doubao.' },
    { Role: 'user', Content: 'Tell me a story.' },
    { Role: 'assistant', Content: "Sure, let me tell you the story of 'The Three Little Pigs'." },
  ],
};
const FROM_ARCHIVE = { SyncMode: 0, ZIM: { RobotId: '@RBT#123', LoadMessageCount: 10 } };
const TO_ARCHIVE = { SyncMode: 0, ZIM: { RobotId: '@RBT#123' } };
const LISTED = { Total: 4, MessageList: GIVEN.Messages };

const APP_ID = 1234567890;
const SERVER_SECRET = '9193cc662a4c0ec135ec71fb57194b38';

interface Envelope<T = unknown> {
  readonly Code: number;
  readonly Message: string;
  readonly RequestId: string;
  readonly Data?: T;
}
interface Message {
  readonly Role: string;
  readonly Content: string;
}
interface MessageList {
  readonly Total: number;
  readonly MessageList: readonly Message[];
}

describe("ZEGOCLOUD's guide with only the host changed", () => {
  let stack: Stack;
  let memoryId: string;

  beforeAll(async () => {
    stack = await Stack.start({ worker: false });
    memoryId = (await stack.api.createMemory({})).id;
    const body = { memoryId, secret: SERVER_SECRET };
    const path = `/v1/vendor-apps/zegocloud/${APP_ID}`;
    expect((await stack.api.request('PUT', path, { body })).status).toBe(200);
  });
  afterAll(() => stack?.stop());

  const query = (action: string, change: Record<string, string> = {}): string => {
    const nonce = randomBytes(8).toString('hex');
    const timestamp = change['Timestamp'] ?? String(Math.floor(Date.now() / 1_000));
    const signature = createHash('md5').update(`${APP_ID}${nonce}${SERVER_SECRET}${timestamp}`).digest('hex');
    return new URLSearchParams({
      Action: action,
      AppId: String(APP_ID),
      SignatureNonce: nonce,
      Timestamp: timestamp,
      Signature: signature,
      SignatureVersion: '2.0',
      ...change,
    }).toString();
  };
  /** A client without our API keys. */
  const act = async <T = undefined>(
    action: string,
    body: unknown,
    path = '/',
    change?: Record<string, string>,
  ): Promise<Envelope<T>> => {
    const response = await fetch(`${stack.api.url}${path}?${query(action, change)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    expect(response.status).toBe(200);
    const answer = (await response.json()) as Envelope<T>;
    const contentType = response.headers.get('content-type') ?? '';
    // Both paths are documented as one.
    expect(differences('POST', '/zegocloud', { status: response.status, contentType, body: answer })).toEqual([]);
    return answer;
  };
  const create = async (history: object | undefined, more: object = {}): Promise<string> => {
    const body = {
      AgentId: 'ai_agent_1',
      UserId: 'user_1',
      RTC: { RoomId: 'room', AgentStreamId: 'a', AgentUserId: 'robot', UserStreamId: 'u' },
      ...(history === undefined ? {} : { MessageHistory: history }),
      ...more,
    };
    const { Code, Data } = await act<{ AgentInstanceId: string }>('CreateAgentInstance', body);
    expect(Code).toBe(0);
    return Data!.AgentInstanceId;
  };
  const list = async (AgentInstanceId: string) =>
    (await act<MessageList>('GetAgentInstanceMsgList', { AgentInstanceId })).Data;
  const add = (AgentInstanceId: string, ...contents: string[]) =>
    act('AddAgentInstanceMsg', { AgentInstanceId, Messages: contents.map((Content) => ({ Role: 'user', Content })) });
  const end = (AgentInstanceId: string) => act('DeleteAgentInstance', { AgentInstanceId });
  const window = async (AgentInstanceId: string): Promise<readonly string[]> => {
    const { body } = await stack.api.request<{ messages: { content: string }[] }>(
      'GET',
      `/v1/agents/${AgentInstanceId}/llm-request`,
    );
    return body.messages.map(({ content }) => content);
  };

  it.each(['/', '/zegocloud'])('lists the context given to an instance: %s', async (path) => {
    const AgentInstanceId = await create(GIVEN);
    const answer = await act<MessageList>('GetAgentInstanceMsgList', { AgentInstanceId }, path);
    expect(answer).toEqual({
      Code: 0,
      Message: 'success',
      RequestId: expect.stringMatching(/\S/) as string,
      Data: LISTED,
    });
  });

  it('starts without memory if none is given', async () => {
    expect(await list(await create({ SyncMode: 1 }))).toEqual({ Total: 0, MessageList: [] });
    expect(await list(await create(undefined))).toEqual({ Total: 0, MessageList: [] });
  });

  it('appends messages', async () => {
    const id = await create(GIVEN);
    const added = await add(id, 'And then?');
    expect(added).toEqual({ Code: 0, Message: 'success', RequestId: added.RequestId });
    expect(await list(id)).toEqual({
      Total: 5,
      MessageList: [...GIVEN.Messages, { Role: 'user', Content: 'And then?' }],
    });
  });

  it('gives the model at most WindowSize messages, after its system prompt', async () => {
    const LLM = { Url: 'https://llm.example.com', ApiKey: 'not kept', Model: 'm', SystemPrompt: 'Be a story teller.' };
    const id = await create({ ...GIVEN, WindowSize: 3 }, { LLM });
    expect(await window(id)).toEqual(['Be a story teller.', ...GIVEN.Messages.slice(1).map(({ Content }) => Content)]);
    expect(await list(id)).toEqual(LISTED);
    expect(await window(await create({ ...GIVEN, WindowSize: 0 }))).toEqual([]);
  });

  it('changes the model of a running instance as a whole', async () => {
    const id = await create(GIVEN, { LLM: { Model: 'm', SystemPrompt: 'Be a story teller.', Temperature: 0.1 } });
    const updated = await act('UpdateAgentInstance', {
      AgentInstanceId: id,
      LLM: { Model: 'n', SystemPrompt: 'Be brief.' },
    });
    expect(updated).toEqual({ Code: 0, Message: 'success', RequestId: updated.RequestId });
    const { body } = await stack.api.request<object>('GET', `/v1/agents/${id}`);
    expect(body).toMatchObject({ params: { model: 'n' } });
    expect(body).not.toMatchObject({ params: { temperature: 0.1 } });
    expect((await window(id))[0]).toBe('Be brief.');
    expect((await act('UpdateAgentInstance', { AgentInstanceId: id, TTS: { Vendor: 'any' } })).Code).toBe(0);
    expect((await window(id))[0]).toBe('Be brief.');
  });

  describe('with registered agents', () => {
    /** The example of ZEGOCLOUD's reference. */
    const JACKY = {
      ...{ AgentId: 'xiaozhi', Name: 'Jacky' },
      LLM: {
        Url: 'https://ark.cn-beijing.volces.com/api/v3/chat/completions',
        ...{ ApiKey: 'zego_test', Model: 'doubao-1-5-lite-32k-250115', SystemPrompt: 'You are Jacky.' },
      },
      TTS: { Vendor: 'ByteDance', Params: { app: { token: 'zego_test' } } },
      ASR: { Vendor: 'Tencent' },
    };
    const { ApiKey: _, ...keptLlm } = JACKY.LLM;
    const kept = { AgentId: 'xiaozhi', Name: 'Jacky', LLM: keptLlm, TTS: {}, ASR: {} };
    const success = (Data?: object) => ({
      ...{ Code: 0, Message: 'success', RequestId: expect.stringMatching(/\S/) as string },
      ...(Data === undefined ? {} : { Data }),
    });

    it('starts instances with what their agent has, unless they bring their own', async () => {
      expect(await act('RegisterAgent', JACKY)).toEqual(success());
      expect(await act('QueryAgents', { AgentIds: ['xiaozhi', 'none'] })).toEqual(success({ Agents: [kept] }));
      // ZEGOCLOUD's sample server sends null for what it does not set.
      const unset = { LLM: null, TTS: null, ASR: null, CallbackConfig: null };
      const id = await create({ SyncMode: 1, Messages: [], WindowSize: 10 }, { AgentId: 'xiaozhi', ...unset });
      expect(await window(id)).toEqual(['You are Jacky.']);
      const params = async (instance: string) =>
        (await stack.api.request<{ params: object }>('GET', `/v1/agents/${instance}`)).body.params;
      expect(await params(id)).toEqual({ model: 'doubao-1-5-lite-32k-250115' });
      const own = await create(undefined, { AgentId: 'xiaozhi', LLM: { SystemPrompt: 'Be brief.' } });
      expect([await window(own), await params(own)]).toEqual([['Be brief.'], {}]);

      expect(await act('UpdateAgent', { AgentId: 'xiaozhi', Name: 'Jack' })).toEqual(success());
      const LLM = { SystemPrompt: 'You are Jack.' };
      expect(await act('UpdateAgent', { AgentId: 'xiaozhi', LLM: { ...LLM, ApiKey: 'secret' } })).toEqual(success());
      const { Data } = await act<{ Agents: object[] }>('QueryAgents', { AgentIds: ['xiaozhi'] });
      expect(Data!.Agents).toEqual([{ ...kept, Name: 'Jack', LLM }]);
      expect(await window(await create(undefined, { AgentId: 'xiaozhi' }))).toEqual(['You are Jack.']);
      expect(await window(id)).toEqual(['You are Jacky.']);
      expect(await act('UnregisterAgent', { AgentId: 'xiaozhi' })).toEqual(success());
      expect(await window(await create(undefined, { AgentId: 'xiaozhi' }))).toEqual([]);
    });

    it('lists them in pages', async () => {
      const list = async (body: object) =>
        (await act<{ Total: number; Agents: { AgentId: string }[]; Cursor: string }>('ListAgents', body)).Data!;
      expect(await list({})).toEqual({ Total: 0, Agents: [], Cursor: '' });
      const ids = Array.from({ length: 7 }, (_, index) => `agent-${index}`);
      for (const AgentId of ids) await act('RegisterAgent', { ...JACKY, AgentId });
      const first = await list({ Limit: 0, Cursor: '' });
      expect([first.Total, first.Agents.map(({ AgentId }) => AgentId)]).toEqual([7, ids.slice(0, 5)]);
      expect(first.Cursor).not.toBe('');
      const { Total, Agents, Cursor } = await list({ Cursor: first.Cursor });
      expect([Total, Agents, Cursor]).toEqual([7, ids.slice(5).map((AgentId) => ({ ...kept, AgentId })), '']);
      for (const AgentId of ids) await act('UnregisterAgent', { AgentId });
    });
  });

  it('tells what an instance does, as far as its messages show', async () => {
    const status = async (AgentInstanceId: string) =>
      (await act<{ Status: string }>('QueryAgentInstanceStatus', { AgentInstanceId })).Data;
    const id = await create(undefined);
    expect(await status(id)).toEqual({ Status: 'IDLE' });
    await add(id, 'And then?');
    expect(await status(id)).toEqual({ Status: 'THINKING' });
    expect(await status(await create(GIVEN))).toEqual({ Status: 'LISTENING' });
  });

  it('hands interruptions to the server that runs the speech', async () => {
    const endpoint = await stack.api.createEndpoint('http://127.0.0.1:59999/engine', { events: ['agent.action'] });
    const id = await create(GIVEN);
    const interrupted = await act('InterruptAgentInstance', { AgentInstanceId: id });
    expect(interrupted).toEqual({ Code: 0, Message: 'success', RequestId: interrupted.RequestId });
    const events = await stack.inspector.number(
      `select count(*) from events where type = 'agent.instructed' and data ->> 'agentId' = '${id}'`,
    );
    expect(events).toBe(1);
    expect((await stack.api.request('DELETE', `/v1/webhook-endpoints/${endpoint.id}`)).status).toBe(204);
  });

  it('resets the context and keeps the messages in the log', async () => {
    const id = await create(GIVEN);
    const reset = await act('ResetAgentInstanceMsgList', { AgentInstanceId: id });
    expect(reset).toEqual({ Code: 0, Message: 'success', RequestId: reset.RequestId });
    await add(id, 'Hello again.');
    expect(await list(id)).toEqual({ Total: 1, MessageList: [{ Role: 'user', Content: 'Hello again.' }] });
    expect(await window(id)).toEqual(['Hello again.']);
    const session = { memoryId, actorId: 'user_1', sessionId: id };
    expect((await stack.api.history(session)).map(({ payload }) => payload.message)).toEqual([
      ...GIVEN.Messages.map(({ Content }) => Content),
      'Hello again.',
    ]);
  });

  it('has a page whose commands work', async () => {
    const variables = { TURNKEEPER_URL: stack.api.url, TURNKEEPER_KEY: stack.api.apiKey! };
    expect((await runPage('zegocloud', variables)).trim().split('\n')).toEqual([
      '0',
      '{"Total":2,"MessageList":[{"Role":"user","Content":"I moved to Hue."},{"Role":"assistant","Content":"How do you like it?"}]}',
      ...['LISTENING', '0', '0', '0', '0', '"You take orders."', '0'],
    ]);
  });

  describe('with the archive of a user and a robot', () => {
    const contentsOf = async (id: string) => (await list(id))!.MessageList.map(({ Content }) => Content);
    const as = (user: string) => ({ UserId: user });

    it('continues where the last call ended', async () => {
      const first = await create(TO_ARCHIVE, as('ada'));
      expect(await contentsOf(first)).toEqual([]);
      await add(first, 'I moved to Hue.', 'It rains a lot.');
      expect((await end(first)).Code).toBe(0);
      const second = await create(FROM_ARCHIVE, as('ada'));
      expect(await contentsOf(second)).toEqual(['I moved to Hue.', 'It rains a lot.']);
      await add(second, 'Still raining.');
      expect(await contentsOf(second)).toEqual(['I moved to Hue.', 'It rains a lot.', 'Still raining.']);
      expect(await window(second)).toEqual(['I moved to Hue.', 'It rains a lot.', 'Still raining.']);
    });

    it('loads the newest messages, as many as requested and at most the window', async () => {
      const first = await create(TO_ARCHIVE, as('bob'));
      await add(first, ...Array.from({ length: 30 }, (_, index) => `message ${index}`));
      await end(first);
      const load = async (history: object) => {
        const id = await create({ ...TO_ARCHIVE, ...history }, as('bob'));
        const contents = await contentsOf(id);
        await end(id);
        return [contents.length, contents.at(-1)];
      };
      expect(await load(FROM_ARCHIVE)).toEqual([10, 'message 29']);
      expect(await load({})).toEqual([20, 'message 29']);
      expect(await load({ WindowSize: 5, ZIM: { RobotId: '@RBT#123', LoadMessageCount: 10 } })).toEqual([
        5,
        'message 29',
      ]);
      expect(await load({ WindowSize: 30 })).toEqual([30, 'message 29']);
      expect(await load({ ZIM: { RobotId: '@RBT#123', LoadMessageCount: 0 } })).toEqual([0, undefined]);
    });

    it('contains only that user and that robot', async () => {
      const first = await create(TO_ARCHIVE, as('carol'));
      await add(first, 'My secret.');
      await end(first);
      expect(await contentsOf(await create(FROM_ARCHIVE, as('dave')))).toEqual([]);
      expect(await contentsOf(await create({ SyncMode: 0, ZIM: { RobotId: 'other' } }, as('carol')))).toEqual([]);
      expect(await contentsOf(await create({ SyncMode: 0 }, as('carol')))).toEqual([]);
      expect(await contentsOf(await create(FROM_ARCHIVE, as('carol')))).toEqual(['My secret.']);
    });

    it('includes what an instance has reset for itself', async () => {
      const first = await create(TO_ARCHIVE, as('eve'));
      await add(first, 'before');
      await act('ResetAgentInstanceMsgList', { AgentInstanceId: first });
      await add(first, 'after');
      expect(await contentsOf(first)).toEqual(['after']);
      await end(first);
      expect(await contentsOf(await create(FROM_ARCHIVE, as('eve')))).toEqual(['before', 'after']);
    });
  });

  describe("returns errors with ZEGOCLOUD's codes", () => {
    const refusal = (answer: Envelope, code: number) =>
      expect(answer).toEqual({
        Code: code,
        Message: expect.stringMatching(/\S/) as string,
        RequestId: expect.stringMatching(/\S/) as string,
      });
    const unknown = { AgentInstanceId: '1907755175297171456' };

    it('for a signature that is wrong or stale', async () => {
      refusal(await act('GetAgentInstanceMsgList', unknown, '/', { Signature: '0'.repeat(32) }), 100000005);
      const stale = String(Math.floor(Date.now() / 1_000) - 601);
      refusal(await act('GetAgentInstanceMsgList', unknown, '/', { Timestamp: stale }), 100000004);
    });

    it('for a signature that was used before, also for another action', async () => {
      const signed = query('ListAgents');
      const send = async (search: string) =>
        (await (await fetch(`${stack.api.url}/?${search}`, { method: 'POST' })).json()) as Envelope;
      expect((await send(signed)).Code).toBe(0);
      refusal(await send(signed), 100000004);
      refusal(await send(signed.replace('ListAgents', 'DeleteAgentInstance')), 100000004);
    });

    it('for an unregistered app and an unknown action', async () => {
      refusal(await act('GetAgentInstanceMsgList', unknown, '/', { AppId: '99' }), 100000005);
      refusal(await act('FlyToTheMoon', unknown), 100000007);
      refusal(await act('constructor', unknown), 100000007);
    });

    it('for an instance that is unknown or gone', async () => {
      const id = await create(GIVEN);
      expect((await end(id)).Code).toBe(0);
      for (const AgentInstanceId of [id, unknown.AgentInstanceId, memoryId]) {
        for (const action of ['GetAgentInstanceMsgList', 'ResetAgentInstanceMsgList', 'DeleteAgentInstance']) {
          refusal(await act(action, { AgentInstanceId }), 410001002);
        }
      }
    });

    it('for an agent that exists already or does not', async () => {
      const agent = { AgentId: 'twice', LLM: {} };
      expect((await act('RegisterAgent', agent)).Code).toBe(0);
      refusal(await act('RegisterAgent', agent), 410001008);
      expect((await act('UnregisterAgent', agent)).Code).toBe(0);
      refusal(await act('UnregisterAgent', agent), 410001009);
      refusal(await act('UpdateAgent', agent), 410001009);
    });

    const history = (MessageHistory: unknown) => ({ AgentId: 'a', UserId: 'u', MessageHistory });
    const deep = JSON.parse(`${'{"a":'.repeat(20)}1${'}'.repeat(20)}`) as object;
    /** Bodies that each action refuses. */
    const BAD: Record<(typeof ZEGO_ACTION_NAMES)[number], unknown[]> = {
      RegisterAgent: [{ LLM: {} }, { AgentId: 'a' }, { AgentId: '', LLM: {} }, { AgentId: 'a', LLM: deep }],
      UpdateAgent: [{ Name: 'n' }, { AgentId: 'a', Name: 'n'.repeat(257) }, { AgentId: 'a', LLM: { Model: 1 } }],
      UnregisterAgent: [{ AgentId: 7 }],
      QueryAgents: [{ AgentIds: 'a' }, { AgentIds: Array.from({ length: 11 }, String) }],
      ListAgents: [{ Limit: 11 }, { Limit: -1 }, { Limit: '5' }, { Cursor: 5 }],
      CreateAgentInstance: [
        ...[{ AgentId: 'a' }, { UserId: 'u' }, { AgentId: 'a', UserId: '..' }, history({ SyncMode: 2 })],
        ...[history([]), history({ SyncMode: 1, Messages: [{ Role: 'system', Content: 'obey' }] })],
        { AgentId: 'a', UserId: 'u', AdvancedConfig: { MaxIdleTime: 9 } },
      ],
      DeleteAgentInstance: [{}],
      UpdateAgentInstance: [{ LLM: {} }, { AgentInstanceId: 'a', LLM: [] }],
      QueryAgentInstanceStatus: [{ AgentInstanceId: null }],
      InterruptAgentInstance: [{ AgentInstanceId: '' }],
      GetAgentInstanceMsgList: ['{}', '[]'],
      AddAgentInstanceMsg: [
        ...[{ AgentInstanceId: 'a' }, { AgentInstanceId: 'a', Messages: [] }],
        { AgentInstanceId: 'a', Messages: [{ Role: 'user', Content: 'a\0' }] },
      ],
      ResetAgentInstanceMsgList: [{ AgentInstanceId: 'x'.repeat(129) }],
    };
    it.each(ZEGO_ACTION_NAMES)('for a bad body: %s', async (action) => {
      refusal(await act(action, '{"Agent'), 410000004);
      for (const body of BAD[action]) {
        const answer = await act(action, body);
        refusal(answer, 410000003);
        expect(answer.Message).not.toMatch(/openapi/i);
      }
    });

    it('for what the guide does not allow', async () => {
      const create = (MessageHistory: object) =>
        act('CreateAgentInstance', { AgentId: 'a', UserId: 'u', MessageHistory });
      refusal(await create({ SyncMode: 1, WindowSize: 101 }), 410000003);
      refusal(await create({ SyncMode: 0, Messages: GIVEN.Messages }), 410000003);
      const path = '/v1/vendor-apps/zegocloud/my-app';
      const named = await stack.api.request('PUT', path, { body: { memoryId, secret: SERVER_SECRET } });
      expect([named.status, named.body]).toMatchObject([400, { code: 'vendor_app.id_invalid' }]);
    });

    it('for an interruption without a speech engine', async () => {
      refusal(await act('InterruptAgentInstance', { AgentInstanceId: await create(GIVEN) }), 100000007);
    });

    it('across tenants that have the same app', async () => {
      const other = stack.apiOf(stack.ingests[0]!, await stack.createKey({ tenant: 'globex' }));
      const theirs = (await other.createMemory({})).id;
      const path = `/v1/vendor-apps/zegocloud/${APP_ID}`;
      const taken = await other.request('PUT', path, { body: { memoryId: theirs, secret: SERVER_SECRET } });
      expect([taken.status, taken.body]).toMatchObject([409, { code: 'vendor_app.taken' }]);
      const body = { memoryId: theirs, secret: 'their own' };
      expect((await other.request('PUT', path, { body })).status).toBe(200);
      const foreign = await other.request('PUT', path, { body: { memoryId, secret: 'their own' } });
      expect([foreign.status, foreign.body]).toMatchObject([404, { code: 'memory.not_found' }]);
      expect(await list(await create(GIVEN))).toEqual(LISTED);
      const listed = await other.request<ListView<object>>('GET', '/v1/vendor-apps');
      expect(listed.body.items).toEqual([
        {
          vendor: 'zegocloud',
          appId: String(APP_ID),
          memoryId: theirs,
          hasSecret: true,
          createdAt: expect.any(String) as string,
        },
      ]);
      expect((await other.request('DELETE', path)).status).toBe(204);
      expect((await other.request('DELETE', path)).status).toBe(204);
      expect((await other.request<ListView<object>>('GET', '/v1/vendor-apps')).body.items).toEqual([]);
    });
  });
});
