import type { BaseMessage } from '@langchain/core/messages';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import type { DynamicStructuredTool } from '@langchain/core/tools';
import { describe, expect, it } from 'vitest';
import { memoryTools } from './langchain.js';
import { FakeServer } from './testing/fake-server.js';

/** A turn of an agent: a scripted model asks for tools until it answers. */
const agentTurn = async (
  tools: readonly DynamicStructuredTool[],
  script: readonly AIMessage[],
  config: object,
): Promise<BaseMessage[]> => {
  const messages: BaseMessage[] = [new HumanMessage('hi')];
  for (const answer of script) {
    messages.push(answer);
    for (const call of answer.tool_calls ?? []) {
      const called = tools.find(({ name }) => name === call.name);
      const result: unknown = await called!.invoke({ ...call, type: 'tool_call' }, config);
      messages.push(result as ToolMessage);
    }
  }
  return messages;
};
const calling = (name: string, args: Record<string, unknown>): AIMessage =>
  new AIMessage({ content: '', tool_calls: [{ id: `call-${name}`, name, args }] });
const results = (messages: readonly BaseMessage[]): unknown[] =>
  messages.filter((message) => message instanceof ToolMessage).map(({ content }) => content);

describe('the tools of LangChain', () => {
  const shared = (server: FakeServer) =>
    memoryTools({ memory: server.memory, namespace: '/strategies/s/actors/{actorId}' });

  it('remember in one session and recall in another, as in the guide', async () => {
    const server = new FakeServer();
    const tools = shared(server);
    const ada = { configurable: { thread_id: 'one', actor_id: 'ada' } };
    const first = await agentTurn(tools, [calling('remember', { fact: 'Ada is allergic to peanuts.' })], ada);
    expect(results(first)).toEqual(['Stored: Ada is allergic to peanuts.']);
    expect(server.records).toMatchObject([{ namespace: '/strategies/s/actors/ada' }]);
    const later = await agentTurn(
      tools,
      [
        calling('recall', { query: 'peanuts?' }),
        calling('recall', { query: 'weather' }),
        calling('remember', { fact: 'Ada is allergic to peanuts.' }),
      ],
      { configurable: { thread_id: 'two', actor_id: 'ada' } },
    );
    expect(results(later)).toEqual([
      '- Ada is allergic to peanuts.',
      'No relevant memories found.',
      'Known already: Ada is allergic to peanuts.',
    ]);
    const bob = await agentTurn(tools, [calling('recall', { query: 'peanuts' })], {
      configurable: { actor_id: 'bob' },
    });
    expect(results(bob)).toEqual(['No relevant memories found.']);
  });

  it('forget what is named exactly, and only in the namespace of the user', async () => {
    const server = new FakeServer();
    const tools = shared(server);
    const ada = { configurable: { actor_id: 'ada' } };
    await agentTurn(tools, [calling('remember', { fact: 'Ada likes green tea.' })], {
      configurable: { actor_id: 'bob' },
    });
    await agentTurn(
      tools,
      ['Ada likes green tea.', 'Ada likes tea.'].map((fact) => calling('remember', { fact })),
      ada,
    );
    const turn = await agentTurn(
      tools,
      [
        calling('forget', { fact: 'all about tea' }),
        calling('forget', { fact: '- ada likes green tea. ' }),
        calling('forget', { fact: 'the moon' }),
      ],
      ada,
    );
    expect(results(turn)).toEqual([
      'There is no such fact. The nearest are:\n- Ada likes green tea.\n- Ada likes tea.',
      'Forgotten: - ada likes green tea. ',
      'No relevant memories found.',
    ]);
    expect(server.records.map(({ namespace, memory }) => `${namespace} ${memory}`)).toEqual([
      '/strategies/s/actors/bob Ada likes green tea.',
      '/strategies/s/actors/ada Ada likes tea.',
    ]);
  });

  it('recall nothing for a blank query, and forget facts longer than a query may be', async () => {
    const server = new FakeServer();
    const fact = `Ada likes green tea ${'and so on '.repeat(150)}`;
    const config = { configurable: { actor_id: 'ada' } };
    const turn = await agentTurn(
      shared(server),
      [calling('remember', { fact }), calling('recall', { query: ' \n' }), calling('forget', { fact })],
      config,
    );
    expect(results(turn)).toEqual([`Stored: ${fact}`, 'No relevant memories found.', `Forgotten: ${fact}`]);
    expect(server.records).toEqual([]);
  });

  it('have no default user, and no user who is a path', async () => {
    const server = new FakeServer();
    const tools = shared(server);
    const recall = (config: object) => agentTurn(tools, [calling('recall', { query: 'x' })], config);
    await expect(recall({})).rejects.toThrow('configurable.actor_id is required');
    await expect(recall({ configurable: { actor_id: 'ada/../bob' } })).rejects.toThrow('actorId');
    const fixed = memoryTools({ memory: server.memory, actorId: 'ada', namespace: '/n/{actorId}' });
    expect(results(await agentTurn(fixed, [calling('recall', { query: 'x' })], {}))).toHaveLength(1);
  });

  it('hide the user and the namespace from the model', () => {
    for (const { schema } of shared(new FakeServer())) {
      expect(JSON.stringify(schema)).not.toMatch(/actor|namespace/);
    }
  });
});
