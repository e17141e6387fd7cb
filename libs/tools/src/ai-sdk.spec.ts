import { Turnkeeper } from '@turnkeeper/client';
import { generateText, stepCountIs, streamText, wrapLanguageModel, type LanguageModelMiddleware } from 'ai';
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { memoryTools, turnkeeperMemory } from './ai-sdk.js';
import { FakeServer } from './testing/fake-server.js';

type Result = Awaited<ReturnType<MockLanguageModelV3['doGenerate']>>;
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const says = (text: string): Result => ({
  content: [{ type: 'text', text }],
  finishReason: { unified: 'stop', raw: 'stop' },
  usage,
  warnings: [],
});
const calls = (toolName: string, input: object): Result => ({
  content: [{ type: 'tool-call', toolCallId: `call-${toolName}`, toolName, input: JSON.stringify(input) }],
  finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
  usage,
  warnings: [],
});
/** Streams an answer in two parts. */
const streams = (first: string, second: string) => ({
  stream: simulateReadableStream({
    initialDelayInMs: null,
    chunkDelayInMs: null,
    chunks: [
      { type: 'text-start' as const, id: '1' },
      { type: 'text-delta' as const, id: '1', delta: first },
      { type: 'text-delta' as const, id: '1', delta: second },
      { type: 'text-end' as const, id: '1' },
      { type: 'finish' as const, finishReason: { unified: 'stop' as const, raw: 'stop' }, usage },
    ],
  }),
});
const modelWith = (model: MockLanguageModelV3, middleware: LanguageModelMiddleware) =>
  wrapLanguageModel({ model, middleware });
const texts = (model: MockLanguageModelV3, call = 0): string[] =>
  model.doGenerateCalls[call]!.prompt.map(({ role, content }) =>
    typeof content === 'string'
      ? `${role}: ${content}`
      : `${role}: ${content.map((part) => (part.type === 'text' ? part.text : part.type)).join('')}`,
  );

describe('the tools of the AI SDK', () => {
  it('are called by a model', async () => {
    const server = new FakeServer();
    server.context = '[1] Ada moved to Hue.';
    const tools = memoryTools({ memory: server.memory, actorId: 'ada', namespace: '/facts/{actorId}' });
    const model = new MockLanguageModelV3({
      doGenerate: [
        calls('remember', { fact: 'Ada likes tea.' }),
        calls('recall', { query: 'tea' }),
        calls('getContext', { query: '' }),
        calls('forget', { fact: 'Ada likes tea.' }),
        says('Done.'),
      ],
    });
    const { text, steps } = await generateText({ model, prompt: 'hi', tools, stopWhen: stepCountIs(5) });
    expect(text).toBe('Done.');
    expect(steps.flatMap((step) => step.toolResults.map(({ output }) => output))).toEqual([
      'Stored: Ada likes tea.',
      '- Ada likes tea.',
      '[1] Ada moved to Hue.',
      'Forgotten: Ada likes tea.',
    ]);
    expect(server.records).toEqual([]);
  });
});

describe('the middleware of the AI SDK', () => {
  const options = (server: FakeServer) => ({ memory: server.memory, actorId: 'ada', sessionId: 's' });

  it('puts history and context in, and the turn out', async () => {
    const server = new FakeServer();
    const model = new MockLanguageModelV3({ doGenerate: [says('Hello Ada.'), says('In Hue.')] });
    const wrapped = modelWith(model, turnkeeperMemory(options(server)));
    await generateText({ model: wrapped, system: 'Be kind.', prompt: 'I am Ada.' });
    server.context = 'Ada lives in Hue.';
    await generateText({ model: wrapped, system: 'Be kind.', prompt: 'Where do I live?' });
    expect(texts(model, 0)).toEqual(['system: Be kind.', 'user: I am Ada.']);
    expect(texts(model, 1)).toEqual([
      'system: Be kind.',
      'system: Ada lives in Hue.',
      'user: I am Ada.',
      'assistant: Hello Ada.',
      'user: Where do I live?',
    ]);
    expect(server.messages('ada', 's')).toEqual([
      'user: I am Ada.',
      'assistant: Hello Ada.',
      'user: Where do I live?',
      'assistant: In Hue.',
    ]);
  });

  it('stores a streamed turn before the reader sees its end', async () => {
    const server = new FakeServer();
    const model = new MockLanguageModelV3({ doStream: streams('Hello ', 'Ada.') });
    const { textStream } = streamText({
      model: modelWith(model, turnkeeperMemory(options(server))),
      prompt: 'I am Ada.',
    });
    let heard = '';
    for await (const delta of textStream) heard += delta;
    expect(heard).toBe('Hello Ada.');
    expect(server.messages('ada', 's')).toEqual(['user: I am Ada.', 'assistant: Hello Ada.']);
  });

  it('stores a turn with steps of tools once', async () => {
    const server = new FakeServer();
    const model = new MockLanguageModelV3({ doGenerate: [calls('recall', { query: 'tea' }), says('You like tea.')] });
    await generateText({
      model: modelWith(model, turnkeeperMemory(options(server))),
      prompt: 'What do I like?',
      tools: memoryTools({ ...options(server), namespace: '/n' }),
      stopWhen: stepCountIs(3),
    });
    expect(texts(model, 1)).toEqual(['user: What do I like?', 'assistant: tool-call', 'tool: tool-result']);
    expect(server.messages('ada', 's')).toEqual(['user: What do I like?', 'assistant: You like tea.']);
  });

  it('stores a repeated operation once', async () => {
    const server = new FakeServer();
    const model = new MockLanguageModelV3({ doGenerate: async () => says('Hello.') });
    const wrapped = modelWith(model, turnkeeperMemory(options(server)));
    const providerOptions = { turnkeeper: { operationId: 'turn-1' } };
    await generateText({ model: wrapped, prompt: 'hi', providerOptions });
    await generateText({ model: wrapped, prompt: 'hi', providerOptions });
    await generateText({ model: wrapped, prompt: 'hi' });
    expect(server.messages('ada', 's')).toHaveLength(4);
  });

  it('fails with the memory, or goes on without it and tells why', async () => {
    const away = new Turnkeeper({
      baseUrl: 'http://server.test',
      apiKey: 'k',
      retry: { maxAttempts: 1 },
      fetch: () => Promise.reject(new TypeError('fetch failed')),
    }).memory('m');
    const of = { memory: away, actorId: 'ada', sessionId: 's' };
    const model = new MockLanguageModelV3({ doGenerate: async () => says('Hello.'), doStream: streams('Hel', 'lo.') });
    const unreachable = { code: 'client.unreachable' };
    await expect(
      generateText({ model: modelWith(model, turnkeeperMemory(of)), prompt: 'hi', maxRetries: 0 }),
    ).rejects.toMatchObject(unreachable);
    const errors: unknown[] = [];
    const wrapped = modelWith(model, turnkeeperMemory({ ...of, onError: (error) => errors.push(error) }));
    expect((await generateText({ model: wrapped, prompt: 'hi' })).text).toBe('Hello.');
    expect(await streamText({ model: wrapped, prompt: 'hi' }).text).toBe('Hello.');
    // Twice the history, the context and the turn.
    expect(errors).toMatchObject(Array(6).fill(unreachable));
  });

  it('can leave out history and context', async () => {
    const server = new FakeServer();
    server.context = 'Ada lives in Hue.';
    server.append('ada', 's', [{ role: 'user', content: 'before', metadata: null }]);
    const model = new MockLanguageModelV3({ doGenerate: [says('Hello.')] });
    const middleware = turnkeeperMemory({ ...options(server), history: 0, budget: 0 });
    await generateText({ model: modelWith(model, middleware), prompt: 'hi' });
    expect(texts(model)).toEqual(['user: hi']);
  });
});
