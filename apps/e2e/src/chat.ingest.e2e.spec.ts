import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { streamText } from 'ai';
import OpenAI, {
  APIConnectionError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  PermissionDeniedError,
  RateLimitError,
} from 'openai';
import pg from 'pg';
import { eventually } from '@turnkeeper/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { repeats, says, startChatModel, streamTo, type ChatModelServer } from './chat/chat-model-server.js';
import type { StoredEvent } from './harness/answers.js';
import { runPage } from './harness/page-commands.js';
import { Stack } from './harness/stack.js';

const INSTRUCTIONS = { role: 'system', content: 'You answer the phone of a clinic.' } as const;
const ALLERGY = 'I am allergic to penicillin, and my patient number is 7 7 4 1 1 2.';

/** Makes every read of records wait; returns how to release them. */
const lockRecords = async (connectionString: string): Promise<() => Promise<void>> => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query('begin; lock table records in access exclusive mode');
  return () => client.end();
};

describe('a chat model with memory', () => {
  let model: ChatModelServer;
  let stack: Stack;
  let memoryId: string;
  let users = 0;
  let actorId: string;
  beforeAll(async () => {
    model = await startChatModel();
    stack = await Stack.start({
      worker: false,
      settings: { CHAT_MODEL_URL: model.url, CHAT_MODEL_API_KEY: 'key of the installation' },
    });
    const memory = await stack.api.createMemory({
      longTermMemoryStrategies: [{ name: 'facts', type: 'SEMANTIC', namespaceTemplate: '/facts/{actorId}' }],
    });
    memoryId = memory.id;
  });
  afterAll(async () => {
    await stack?.stop();
    await model?.close();
  });
  beforeEach(() => {
    actorId = `user-${(users += 1)}`;
    model.behave(says({ content: 'Thank you, I have noted that.' }));
  });

  const clientOf = (
    session: string,
    {
      actor = actorId,
      apiKey = stack.api.apiKey!,
      ...more
    }: { actor?: string; apiKey?: string } & Record<string, unknown> = {},
  ) =>
    new OpenAI({
      baseURL: `${stack.api.url}/v1`,
      apiKey,
      maxRetries: 0,
      defaultHeaders: {
        'Turnkeeper-Memory': memoryId,
        'Turnkeeper-Actor': encodeURIComponent(actor),
        ...(session === '' ? {} : { 'Turnkeeper-Session': session }),
      },
      ...more,
    });
  const stored = (sessionId: string, actor = actorId): Promise<StoredEvent[]> =>
    stack.api.history({ memoryId, actorId: actor, sessionId });
  const wordsOf = (events: readonly StoredEvent[]) => events.map(({ payload }) => [payload.role, payload.message]);
  const lastInput = () => model.requests.at(-1)!.body;
  const inputText = () =>
    lastInput()
      .messages.map(({ content }) => content)
      .join('\n');

  it("gives the second call what the first one said, to the digit, and no other user's words", async () => {
    const first = clientOf('call-1');
    const body = { model: 'model-1', messages: [INSTRUCTIONS, { role: 'user' as const, content: ALLERGY }] };
    const answer = await first.chat.completions.create(body);
    expect(answer.choices[0]?.message.content).toBe('Thank you, I have noted that.');
    expect(lastInput()).toMatchObject({ model: 'model-1', messages: body.messages });
    expect(model.requests.at(-1)?.authorization).toBe('Bearer key of the installation');
    expect(wordsOf(await stored('call-1'))).toEqual([
      ['user', ALLERGY],
      ['assistant', 'Thank you, I have noted that.'],
    ]);

    const question = { role: 'user' as const, content: 'What is my patient number, and what am I allergic to?' };
    await clientOf('call-2').chat.completions.create({ model: 'model-1', messages: [INSTRUCTIONS, question] });
    const { messages } = lastInput();
    expect(messages.map(({ role }) => role)).toEqual(['system', 'system', 'user']);
    expect(messages[0]).toEqual(INSTRUCTIONS);
    expect(messages[1]?.content).toContain(ALLERGY);
    expect(messages[2]).toEqual(question);

    await clientOf('call-1', { actor: 'another' }).chat.completions.create({ model: 'model-1', messages: [question] });
    expect(inputText()).not.toContain('penicillin');
    expect(lastInput().messages).toEqual([question]);
  });

  it('does not repeat what the request shows', async () => {
    const client = clientOf('call-1');
    const said = [INSTRUCTIONS, { role: 'user' as const, content: ALLERGY }];
    await client.chat.completions.create({ model: 'm', messages: said });
    const whole = [
      ...said,
      { role: 'assistant' as const, content: 'Thank you, I have noted that.' },
      { role: 'user' as const, content: 'Which allergy did I mention?' },
    ];
    await client.chat.completions.create({ model: 'm', messages: whole });
    expect(lastInput().messages).toEqual(whole);
    expect(await stored('call-1')).toHaveLength(4);
    // A client that only sends its newest messages gets the others from the memory.
    await client.chat.completions.create({
      model: 'm',
      messages: [{ role: 'user', content: 'Say the allergy again.' }],
    });
    expect(inputText()).toContain('penicillin');
  });

  it('streams, and passes tools, their calls and their results', async () => {
    const client = clientOf('call-1');
    const call = { id: 'call_1', name: 'book', arguments: '{"day":"Thursday","id":9007199254740993}' };
    model.behave(says({ toolCalls: [call] }));
    const tools = [{ type: 'function' as const, function: { name: 'book', parameters: { type: 'object' } } }];
    const asked = [{ role: 'user' as const, content: 'Book me for Thursday.' }];
    const stream = client.chat.completions.stream({ model: 'm', messages: asked, tools });
    const { choices } = await stream.finalChatCompletion();
    const [called] = choices[0]!.message.tool_calls!;
    expect(called).toMatchObject({ id: 'call_1', function: { name: 'book', arguments: call.arguments } });
    expect(lastInput()).toMatchObject({ tools, stream: true });

    model.behave(says({ content: 'You are booked for Thursday at ten.' }));
    const result = { role: 'tool' as const, tool_call_id: 'call_1', content: '{"time":"10:00"}' };
    const answered = client.chat.completions.stream({ model: 'm', messages: [...asked, choices[0]!.message, result] });
    const pieces: string[] = [];
    answered.on('content', (piece) => pieces.push(piece));
    expect((await answered.finalChatCompletion()).choices[0]?.message.content).toBe(
      'You are booked for Thursday at ten.',
    );
    expect(pieces.length).toBeGreaterThan(3);
    const events = await stored('call-1');
    expect(wordsOf(events)).toEqual([
      ['user', 'Book me for Thursday.'],
      ['assistant', ''],
      ['tool', '{"time":"10:00"}'],
      ['assistant', 'You are booked for Thursday at ten.'],
    ]);
    expect(events[1]).toMatchObject({ toolCalls: [{ id: 'call_1', function: { arguments: call.arguments } }] });
    expect(events[2]).toMatchObject({ toolCallId: 'call_1' });
  });

  it('serves the AI SDK', async () => {
    const provider = createOpenAICompatible({
      name: 'turnkeeper',
      baseURL: `${stack.api.url}/v1`,
      apiKey: stack.api.apiKey!,
      headers: { 'Turnkeeper-Memory': memoryId, 'Turnkeeper-Actor': actorId },
      queryParams: { sessionId: 'sdk' },
    });
    const { textStream } = streamText({ model: provider('m'), prompt: ALLERGY });
    let text = '';
    for await (const piece of textStream) text += piece;
    expect(text).toBe('Thank you, I have noted that.');
    expect(wordsOf(await stored('sdk'))).toEqual([
      ['user', ALLERGY],
      ['assistant', 'Thank you, I have noted that.'],
    ]);
  });

  it('stores what was sent of an answer that the client broke off, and then what was heard of it', async () => {
    const client = clientOf('call-1');
    let leave = (): void => undefined;
    model.behave(async (response) => {
      const send = streamTo(response);
      send({ content: 'Your refund of 40 euros ' });
      send({ content: 'will arrive on Friday.' });
      await new Promise<void>((resolve) => response.once('close', resolve));
      leave();
    });
    const left = new Promise<void>((resolve) => (leave = resolve));
    const asked = [{ role: 'user' as const, content: 'Where is my refund?' }];
    const stream = await client.chat.completions.create({ model: 'm', messages: asked, stream: true });
    let heard = '';
    for await (const chunk of stream) {
      heard += chunk.choices[0]?.delta.content ?? '';
      if (heard.includes('Friday')) break;
    }
    // The model is told, so that it stops.
    await left;
    await eventually(async () => (await stored('call-1')).length === 2);
    const [, cut] = await stored('call-1');
    expect(cut).toMatchObject({
      payload: { message: 'Your refund of 40 euros will arrive on Friday.' },
      metadata: { interrupted: true },
    });

    model.behave(says({ content: 'On Friday.' }));
    const next = [
      ...asked,
      { role: 'assistant' as const, content: 'Your refund' },
      { role: 'user' as const, content: 'When?' },
    ];
    await client.chat.completions.create({ model: 'm', messages: next });
    expect(wordsOf(await stored('call-1')).slice(1)).toEqual([
      ['assistant', 'Your refund'],
      ['user', 'When?'],
      ['assistant', 'On Friday.'],
    ]);
  });

  it('stores a repeated request once', async () => {
    const client = clientOf('');
    const said = { model: 'm', messages: [{ role: 'user' as const, content: 'I live in Hue.' }] };
    await client.chat.completions.create(said);
    await client.chat.completions.create({
      ...said,
      messages: [{ role: 'system', content: `It is ${Date.now()}.` }, ...said.messages],
    });
    const { body } = await stack.api.request<{ items: { sessionId: string }[] }>(
      'GET',
      `/v1/memories/${memoryId}/sessions?actorId=${actorId}`,
    );
    const [session] = body.items;
    expect(session?.sessionId).toMatch(/^chat-/);
    expect(await stored(session!.sessionId)).toHaveLength(2);
  });

  it('takes the request of a voice platform, with the call in the URL and its number of the turn', async () => {
    const url = `${stack.api.url}/v1/chat/completions?memoryId=${memoryId}&actorId=${actorId}&sessionId=room-9`;
    const said = { role: 'user', content: 'My flight is at 19:40.', turn_id: 3, timestamp: 1_751_000_000_123 };
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${stack.api.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ model: 'm', stream: true, stream_options: { include_usage: true } },
        ...{ turn_id: 3, timestamp: 1_751_000_000_123, interruptable: true },
        context: { presence: { '1001': { mood: 'calm' } } },
        messages: [INSTRUCTIONS, { ...said, metadata: { source: 'asr', user: '1001' } }],
      }),
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(await response.text()).toMatch(/data: \[DONE\]\n\n$/);
    expect(lastInput()).toMatchObject({ turn_id: 3, context: { presence: { '1001': { mood: 'calm' } } } });
    expect(await stored('room-9')).toMatchObject([{ turnId: 3 }, { turnId: 3 }]);
  });

  it('is set up by the commands of its page', async () => {
    model.behave(repeats);
    const printed = await runPage('chat-models', {
      TURNKEEPER_URL: stack.api.url,
      TURNKEEPER_API_KEY: stack.api.apiKey!,
    });
    const [first = '', second = ''] = printed.trim().split('\n');
    expect(first).not.toContain('memory>');
    expect(second).toContain('NG 44712 B');
    expect(second.indexOf('You answer the phone')).toBeLessThan(second.indexOf('NG 44712 B'));
  });

  describe('with errors', () => {
    const said = { model: 'm', messages: [{ role: 'user' as const, content: 'Hello there.' }] };
    const failureOf = async (client: OpenAI, body: object = said) =>
      client.chat.completions.create({ ...said, ...body }).then(
        () => null,
        (error: unknown) => error as InstanceType<typeof BadRequestError>,
      );

    it("passes the model's own", async () => {
      model.behave((response) => {
        response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '7' });
        response.end('{"error":{"message":"Slow down.","type":"rate_limit_error","code":"rate_limit","param":null}}');
      });
      const error = await failureOf(clientOf('call-1'));
      expect(error).toBeInstanceOf(RateLimitError);
      expect(error).toMatchObject({ code: 'rate_limit', message: '429 Slow down.' });
      expect(error?.headers?.get('retry-after')).toBe('7');
      // What the user said was said.
      expect(wordsOf(await stored('call-1'))).toEqual([['user', 'Hello there.']]);
    });

    it('ends a stream that the model breaks off as broken, and stores what was sent', async () => {
      let breakOff = (): void => undefined;
      model.behave((response) => {
        streamTo(response)({ content: 'One moment' });
        breakOff = () => response.destroy();
      });
      const stream = await clientOf('call-1').chat.completions.create({ ...said, stream: true });
      const reading = (async () => {
        for await (const { choices } of stream) if (choices.length > 0) breakOff();
      })();
      await expect(reading).rejects.toThrow();
      await eventually(async () => (await stored('call-1')).length === 2);
      expect(wordsOf(await stored('call-1'))).toEqual([
        ['user', 'Hello there.'],
        ['assistant', 'One moment'],
      ]);
    });

    it('says who is missing, in the format of the model', async () => {
      const anonymous = clientOf('x', { defaultHeaders: { 'Turnkeeper-Memory': memoryId } });
      const error = await failureOf(anonymous);
      expect(error).toBeInstanceOf(BadRequestError);
      expect(error).toMatchObject({
        code: 'chat.subject_missing',
        param: 'Turnkeeper-Actor',
        type: 'invalid_request_error',
      });
      expect(await failureOf(anonymous, { user: actorId })).toBeNull();
      expect(await failureOf(anonymous, { metadata: { user_id: actorId } })).toBeNull();
      const nowhere = clientOf('x', { defaultHeaders: { 'Turnkeeper-Actor': actorId } });
      expect(await failureOf(nowhere)).toMatchObject({ status: 400, param: 'Turnkeeper-Memory' });
      const wrong = clientOf('x', { defaultHeaders: { 'Turnkeeper-Memory': 'm', 'Turnkeeper-Actor': actorId } });
      expect(await failureOf(wrong)).toMatchObject({ status: 400, param: 'Turnkeeper-Memory' });
      expect(await failureOf(clientOf('x'), { messages: [] })).toMatchObject({ status: 400, param: 'messages' });
    });

    it('rejects keys that may not', async () => {
      expect(await failureOf(clientOf('x', { apiKey: 'tk_wrong' }))).toBeInstanceOf(AuthenticationError);
      const writes = await stack.createKey({ scopes: ['memory:write'] });
      expect(await failureOf(clientOf('x', { apiKey: writes }))).toBeInstanceOf(PermissionDeniedError);
      const other = await stack.createKey({ tenant: 'other' });
      expect(await failureOf(clientOf('x', { apiKey: other }))).toMatchObject({
        status: 404,
        code: 'memory.not_found',
      });
    });

    it('says that the model cannot be reached, and stores what the user said', async () => {
      const elsewhere = await stack.startIngest({ CHAT_MODEL_URL: 'http://127.0.0.1:9/v1' });
      const error = await failureOf(clientOf('call-1', { baseURL: `${elsewhere.url}/v1` }));
      expect(error).toBeInstanceOf(InternalServerError);
      expect(error).toMatchObject({ status: 502, code: 'chat.model_unreachable' });
      expect(error).not.toBeInstanceOf(APIConnectionError);
      expect(wordsOf(await stored('call-1'))).toEqual([['user', 'Hello there.']]);
    });

    it('goes on without memory if it cannot be read in time, or fails if that is wanted', async () => {
      const { api } = stack;
      await clientOf('call-1').chat.completions.create({ model: 'm', messages: [{ role: 'user', content: ALLERGY }] });
      const ask = { messages: [{ role: 'user', content: 'What am I allergic to?' }] };
      const release = await lockRecords(stack.inspector.adminUrl);
      try {
        const { response } = await clientOf('call-2')
          .chat.completions.create({ ...said, ...ask } as typeof said)
          .withResponse();
        expect(response.headers.get('turnkeeper-memory-tokens')).toBe('unavailable');
        expect(inputText()).not.toContain('penicillin');
        const strict = await stack.startIngest({ CHAT_WITHOUT_MEMORY: 'reject', CHAT_MEMORY_MS: '100' });
        const error = await failureOf(clientOf('call-3', { baseURL: `${strict.url}/v1` }), ask);
        expect(error).toMatchObject({ status: 504, code: 'chat.memory_late' });
      } finally {
        await release();
      }
      expect(wordsOf(await stored('call-2'))).toHaveLength(2);
      const metrics = await (await fetch(`${api.url}/metrics`)).text();
      expect(metrics).toMatch(/chat_memory_failures_total\{step="read"\} 1/);
    });
  });
});
