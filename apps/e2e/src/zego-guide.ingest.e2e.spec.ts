import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runPage } from './harness/page-commands.js';
import { Stack } from './harness/stack.js';
import { archiveCases } from './zego-guide/archive.js';
import { GIVEN, LISTED, ZegoClient, type MessageList } from './zego-guide/client.js';
import { refusalCases } from './zego-guide/refusals.js';
import { registeredAgentCases } from './zego-guide/registered-agents.js';

describe("ZEGOCLOUD's guide with only the host changed", () => {
  let stack: Stack;
  const client = new ZegoClient();
  const { act, add, create, list, window } = client;

  beforeAll(async () => {
    stack = await Stack.start({ worker: false });
    await client.use(stack);
  });
  afterAll(() => stack?.stop());

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

  registeredAgentCases(client);

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
    const session = { memoryId: client.memoryId, actorId: 'user_1', sessionId: id };
    expect((await stack.api.history(session)).map(({ payload }) => payload.message)).toEqual([
      ...GIVEN.Messages.map(({ Content }) => Content),
      'Hello again.',
    ]);
  });

  it('has a page whose commands work', async () => {
    const variables = { TURNKEEPER_URL: stack.api.url, TURNKEEPER_API_KEY: stack.api.apiKey! };
    expect((await runPage('zegocloud', variables)).trim().split('\n')).toEqual([
      '0',
      expect.stringContaining('{"Total":3,"MessageList":[{"Role":"user","Content":"I moved to Hue."}'),
      ...['THINKING', '0', '0', '0', 'It rains a lot', '0', '"You take orders."', '0'],
    ]);
  });

  archiveCases(client);
  refusalCases(client);
});
