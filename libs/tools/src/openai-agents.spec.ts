import {
  Agent,
  run,
  setTracingDisabled,
  Usage,
  type AgentInputItem,
  type Model,
  type ModelRequest,
  type ModelResponse,
} from '@openai/agents-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { memoryTools, TurnkeeperSession } from './openai-agents.js';
import { FakeServer } from './testing/fake-server.js';

beforeAll(() => setTracingDisabled(true));

type Output = ModelResponse['output'];
/** Answers in turn, and keeps its requests. */
class ScriptedModel implements Model {
  readonly requests: ModelRequest[] = [];
  constructor(private readonly script: Output[]) {}
  async getResponse(request: ModelRequest): Promise<ModelResponse> {
    this.requests.push(request);
    return { usage: new Usage(), output: this.script.shift() ?? [] };
  }
  // eslint-disable-next-line require-yield
  async *getStreamedResponse(): AsyncGenerator<never> {
    throw new Error('not streamed');
  }
}
const says = (text: string): Output => [
  { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] },
];
const calls = (name: string, input: object): Output => [
  { type: 'function_call', callId: `call-${name}`, name, arguments: JSON.stringify(input), status: 'completed' },
];
const user = (content: string): AgentInputItem => ({ role: 'user', content });
const words = (items: readonly AgentInputItem[]): string[] => items.map((item) => JSON.stringify(item));

describe('an agent of OpenAI Agents', () => {
  it('uses the tools, and continues its session with every item', async () => {
    const server = new FakeServer();
    const session = new TurnkeeperSession(server.memory.session('ada', 's'));
    const model = new ScriptedModel([
      calls('remember', { fact: 'Ada likes tea.' }),
      says('Noted.'),
      calls('recall', { query: 'tea' }),
      says('Tea.'),
    ]);
    const tools = memoryTools({ memory: server.memory, actorId: 'ada', namespace: '/facts/{actorId}' });
    const agent = new Agent({ name: 'Desk', model, tools });
    expect((await run(agent, 'I like tea.', { session })).finalOutput).toBe('Noted.');
    expect((await run(agent, 'What do I like?', { session })).finalOutput).toBe('Tea.');
    const items = await session.getItems();
    expect(items.map((item) => ('role' in item ? item.role : item.type))).toEqual([
      ...['user', 'function_call', 'function_call_result', 'assistant'],
      ...['user', 'function_call', 'function_call_result', 'assistant'],
    ]);
    expect(JSON.stringify(items)).toContain('Stored: Ada likes tea.');
    expect(JSON.stringify(model.requests[2]!.input)).toContain('Noted.');
    expect(server.messages('ada', 's').filter((line) => !line.endsWith(': '))).toEqual([
      'user: I like tea.',
      'assistant: Noted.',
      'user: What do I like?',
      'assistant: Tea.',
    ]);
  });
});

describe('a session', () => {
  const create = (): { server: FakeServer; session: TurnkeeperSession } => {
    const server = new FakeServer();
    return { server, session: new TurnkeeperSession(server.memory.session('ada', 's')) };
  };

  it('returns items as they were added, the newest of them, and none after it was cleared', async () => {
    const { session } = create();
    expect(await session.getItems()).toEqual([]);
    expect(await session.popItem()).toBeUndefined();
    const items = [user('one'), ...says('two'), { ...user('three'), providerData: { a: [1] } }] as AgentInputItem[];
    await session.addItems(items);
    expect(await session.getItems()).toEqual(items);
    expect(await session.getItems(2)).toEqual(items.slice(1));
    expect(await session.getItems(0)).toEqual([]);
    await session.clearSession();
    expect(await session.getItems()).toEqual([]);
    expect(await session.getSessionId()).toBe('s');
  });

  it('pops items, and reads messages of other clients', async () => {
    const { server, session } = create();
    await session.addItems([user('one'), user('two')]);
    server.append('ada', 's', [{ role: 'assistant', content: 'by phone', metadata: null }]);
    expect(await session.popItem()).toMatchObject({ role: 'assistant' });
    expect(await session.popItem()).toEqual(user('two'));
    await session.addItems([user('three')]);
    expect(await session.getItems()).toEqual([user('one'), user('three')]);
    expect(await session.getItems(1)).toEqual([user('three')]);
  });

  it('applies a transaction once', async () => {
    const { session } = create();
    const append = (operationId: string, items: AgentInputItem[]) =>
      session.applyHistoryTransaction({ operationId, transaction: { type: 'append_items', items } });
    const replace = (operationId: string, expectedSuffix: AgentInputItem[], replacement: AgentInputItem[]) =>
      session.applyHistoryTransaction({
        operationId,
        transaction: { type: 'replace_suffix', expectedSuffix, replacement },
      });
    await append('a', [user('one'), user('two')]);
    await append('a', [user('one'), user('two')]);
    await expect(append('a', [user('other')])).rejects.toThrow('another transaction');
    await replace('b', [user('two')], [user('2'), user('3')]);
    await replace('b', [user('two')], [user('2'), user('3')]);
    await expect(replace('c', [user('two')], [])).rejects.toThrow('another suffix');
    expect(words(await session.getItems())).toEqual(words([user('one'), user('2'), user('3')]));
  });

  it('does not change what was added in between', async () => {
    const { server, session } = create();
    await session.addItems([user('one'), user('two')]);
    let once = true;
    server.beforeAppend = () => {
      if (once) server.append('ada', 's', [{ role: 'user', content: 'in between', metadata: null }]);
      once = false;
    };
    expect(await session.popItem()).toEqual(user('in between'));
    expect(await session.getItems()).toEqual([user('one'), user('two')]);
  });
});
