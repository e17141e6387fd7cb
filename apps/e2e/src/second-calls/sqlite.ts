import { ShortTermMemory } from '@turnkeeper/short-term-memory';
import type { Call, Platform } from './platform.js';
import type { World } from './world.js';

/** The window of a program that uses the small class, in one session for all its calls. */
const LIMIT = 12;

export const sqlite = (world: World): Platform => {
  let memoryId = '';

  return {
    title: 'the class SQLiteShortTermMemory',
    users: ['f3f0a0de-4f0e-4a55-9a37-0d6f6bd0c711', 'user_7'],
    start: async () => {
      // As on its page: without strategies.
      memoryId = (await world.stack.api.createMemory({})).id;
    },
    dial: (actorId): Promise<Call> => {
      const { url: baseUrl, apiKey } = world.stack.api;
      const memory = new ShortTermMemory({ baseUrl, apiKey: apiKey!, memoryId, actorId });
      return Promise.resolve({
        say: ({ role, text, generated }) =>
          generated === undefined
            ? memory.addMemory('session-abc', role, text)
            : memory.addMemory('session-abc', role, text, { model: 'llama3', interrupted: true, original: generated }),
        modelInput: async () => [await memory.formatAsString('session-abc', LIMIT)],
        hangUp: () => Promise.resolve(),
      });
    },
    settled: () => Promise.resolve(),
  };
};
