import { createInterface } from 'node:readline/promises';
import { pathToFileURL } from 'node:url';
import { Turnkeeper } from '@turnkeeper/client';

/**
 * A support bot that remembers its users: what they say is appended, and each answer is written with what is known.
 *
 * @param {{ memory: import('@turnkeeper/client').MemoryHandle, actorId: string, sessionId: string,
 *   model?: (messages: { role: string, content: string }[]) => Promise<string> }} options `model` default: a fake one
 */
export const createBot = ({ memory, actorId, sessionId, model = fakeModel }) => {
  const session = memory.session(actorId, sessionId);
  return {
    /** @param {string} said what the user said */
    answer: async (said) => {
      const known = await memory.actor(actorId).context({ query: said, budget: 600 });
      await session.append({ role: 'user', content: said });
      const window = await session.window(20);
      const messages = [
        { role: 'system', content: 'You help customers of a small shop. Be brief.' },
        ...(known.text === '' ? [] : [{ role: 'system', content: known.text }]),
        ...window.map(({ role, content }) => ({ role, content })),
      ];
      const answer = await model(messages);
      await session.append({ role: 'assistant', content: answer });
      return answer;
    },
  };
};

const wordsOf = (text) => new Set(text.toLowerCase().match(/\p{L}+/gu));

/** Without a model: it repeats what the user once said that shares the most words with what was said now. */
const fakeModel = async (messages) => {
  const now = wordsOf(messages.at(-1).content);
  const known = messages.filter(({ role }) => role === 'system').slice(1);
  const said = known.flatMap(({ content }) =>
    [...content.matchAll(/^\[\d+\] user(?: said)?: "?([^"\n]*[^"\n?])(?:"|$)/gim)].map((match) => match[1]),
  );
  const shared = (text) => [...wordsOf(text)].filter((word) => now.has(word)).length;
  const [best] = said.filter((text) => shared(text) > 0).sort((a, b) => shared(b) - shared(a));
  return best === undefined ? 'Nice to meet you! How can I help?' : `You told me: "${best}"`;
};

/** Any endpoint with OpenAI's API. */
export const openAiModel =
  ({ baseUrl, apiKey, model }) =>
  async (messages) => {
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages }),
      signal: AbortSignal.timeout(60_000),
    });
    if (!response.ok) throw new Error(`The model answered ${response.status}.`);
    const { choices } = await response.json();
    return choices[0].message.content;
  };

const main = async () => {
  const { TURNKEEPER_URL = 'http://127.0.0.1:8080', TURNKEEPER_API_KEY = '', MEMORY_ID, ACTOR_ID = 'me' } = process.env;
  const { LLM_BASE_URL: baseUrl, LLM_API_KEY: apiKey = '', LLM_MODEL: name = '' } = process.env;
  const turnkeeper = new Turnkeeper({ baseUrl: TURNKEEPER_URL, apiKey: TURNKEEPER_API_KEY });
  /** @type {{ name: string, type: 'SEMANTIC', namespaceTemplate: string }} */
  const strategy = { name: 'facts', type: 'SEMANTIC', namespaceTemplate: '/facts/{actorId}' };
  const wanted = { name: 'support-bot', longTermMemoryStrategies: [strategy] };
  const memory = turnkeeper.memory(MEMORY_ID ?? (await turnkeeper.memories.create(wanted)).id);
  console.log(`MEMORY_ID=${memory.id}`);
  const model = baseUrl === undefined ? undefined : openAiModel({ baseUrl, apiKey, model: name });
  const bot = createBot({ memory, actorId: ACTOR_ID, sessionId: `chat-${Date.now()}`, model });
  const input = createInterface({ input: process.stdin, crlfDelay: Infinity });
  for await (const said of input) if (said.trim() !== '') console.log(await bot.answer(said));
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
