import { createInterface } from 'node:readline/promises';
import { pathToFileURL } from 'node:url';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { Turnkeeper } from '@turnkeeper/client';
import { TurnkeeperSaver } from '@turnkeeper/langgraph';
import { memoryTools } from '@turnkeeper/tools/langchain';
import { FakeModel } from './fake-model.mjs';

/**
 * The agent of AgentBase's guide: the checkpointer keeps the conversation of a session, and the tools `remember` and
 * `recall` keep facts about the user across sessions. The model can choose neither the user nor the strategy.
 *
 * @param {{ url: string, apiKey: string, memoryId: string, strategyId: string,
 *   llm?: import('@langchain/core/language_models/chat_models').BaseChatModel }} options `llm` default: a fake one; `new ChatOpenAI({ … })` of `@langchain/openai`, for example
 * @returns {(context: { userId: string, sessionId: string }, input: string) => Promise<string>} the answer to what a user says
 */
export const createAgent = ({ url, apiKey, memoryId, strategyId, llm = new FakeModel() }) => {
  const memory = new Turnkeeper({ baseUrl: url, apiKey }).memory(memoryId);
  const namespace = `/strategies/${strategyId}/actors/{actorId}`;
  const [remember, recall] = memoryTools({ memory, namespace, scoreThreshold: 0.5 });
  const checkpointer = new TurnkeeperSaver({ baseUrl: url, apiKey, memoryId });
  const agent = createReactAgent({ llm, tools: [remember, recall], checkpointSaver: checkpointer });
  return async ({ userId, sessionId }, input) => {
    const configurable = { thread_id: sessionId, actor_id: userId };
    const { messages } = await agent.invoke({ messages: [['human', input]] }, { configurable });
    return messages.at(-1)?.text ?? '';
  };
};

/**
 * The memory of the environment, or a new one with a strategy for facts.
 *
 * @param {string} url
 * @param {string} apiKey
 * @param {NodeJS.ProcessEnv} env
 */
const findMemory = async (url, apiKey, { MEMORY_ID, MEMORY_STRATEGY_ID }) => {
  if (MEMORY_ID !== undefined && MEMORY_STRATEGY_ID !== undefined) {
    return { memoryId: MEMORY_ID, strategyId: MEMORY_STRATEGY_ID };
  }
  const turnkeeper = new Turnkeeper({ baseUrl: url, apiKey });
  const namespaceTemplate = '/strategies/{memoryStrategyId}/actors/{actorId}';
  const { id: memoryId } = await turnkeeper.memories.create({
    name: 'langgraph-agent',
    longTermMemoryStrategies: [{ name: 'facts', type: 'SEMANTIC', namespaceTemplate }],
  });
  const [{ id: strategyId }] = await turnkeeper.memory(memoryId).strategies.list();
  return { memoryId, strategyId };
};

const main = async () => {
  const { TURNKEEPER_URL: url = 'http://127.0.0.1:8080', TURNKEEPER_API_KEY: apiKey = '' } = process.env;
  const { USER_ID: userId = 'me', SESSION_ID: sessionId = `chat-${Date.now()}` } = process.env;
  const { memoryId, strategyId } = await findMemory(url, apiKey, process.env);
  console.log(`MEMORY_ID=${memoryId} MEMORY_STRATEGY_ID=${strategyId} SESSION_ID=${sessionId}`);
  const answer = createAgent({ url, apiKey, memoryId, strategyId });
  const input = createInterface({ input: process.stdin, crlfDelay: Infinity });
  for await (const said of input) if (said.trim() !== '') console.log(await answer({ userId, sessionId }, said));
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
