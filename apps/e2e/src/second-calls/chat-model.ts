import OpenAI from 'openai';
import { says } from '../chat/chat-model-server.js';
import { linesOf, type World } from './world.js';
import type { Call, Platform } from './platform.js';

type Message = OpenAI.Chat.ChatCompletionMessageParam;

/** A voice platform that takes the URL of a model, and shows it what was heard of its answers. */
export const chatModel = (world: World): Platform => {
  let memoryId = '';
  const calls = new Map<string, number>();

  return {
    title: 'any platform that takes the URL of a chat model',
    users: ['auth0|5f7c8ec7c33c6c004bbafe82', 'auth0|5f7c8ec7c33c6c004bbafe83'],
    start: async () => {
      memoryId = (await world.newMemory()).id;
    },
    dial: (user): Promise<Call> => {
      const call = (calls.get(user) ?? 0) + 1;
      calls.set(user, call);
      const client = new OpenAI({
        baseURL: `${world.stack.api.url}/v1`,
        apiKey: world.stack.api.apiKey!,
        defaultQuery: { memoryId, actorId: user, sessionId: `call-${call}` },
      });
      const messages: Message[] = [{ role: 'system', content: 'You answer the phone of a clinic.' }];
      /** The model's turn to speak. */
      const ask = async (content: string): Promise<void> => {
        world.chatModel.behave(says({ content }));
        const stream = client.chat.completions.stream({ model: 'model-1', messages });
        await stream.done();
      };
      const isAsked = (): boolean => messages.at(-1)?.role === 'user';
      return Promise.resolve({
        say: async ({ role, text, generated }) => {
          // The greeting is the platform's own.
          if (role === 'assistant' && isAsked()) await ask(generated ?? text);
          messages.push({ role, content: text });
        },
        modelInput: async () => {
          await ask('');
          return [linesOf(world.chatModel.requests.at(-1)!.body.messages)];
        },
        hangUp: async () => {
          if (isAsked()) await ask('');
        },
      });
    },
    settled: () => world.stack.api.untilExtracted(memoryId),
  };
};
