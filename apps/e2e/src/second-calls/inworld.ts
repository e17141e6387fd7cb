import { eventsPath, turn } from '../harness/api.js';
import type { Call, Platform } from './platform.js';
import type { World } from './world.js';

interface Restored {
  readonly messages: readonly {
    readonly type: string;
    readonly session?: { readonly instructions: string };
    readonly item?: { readonly role: string; readonly content: readonly { readonly text: string }[] };
  }[];
}

/**
 * The handler of a Realtime session at Inworld: it stores the turns and Inworld's memory state, and restores both. Sessions
 * of all users have the same names.
 */
export const inworld = (world: World): Platform => {
  let memoryId = '';
  const calls = new Map<string, number>();

  return {
    title: "Inworld's sessions",
    users: ['mara.lindt@example.com', 'mara.lindt+2@example.com'],
    hasOwnFacts: true,
    start: async () => {
      memoryId = (await world.newMemory()).id;
    },
    dial: async (actorId): Promise<Call> => {
      const call = (calls.get(actorId) ?? 0) + 1;
      calls.set(actorId, call);
      const events = eventsPath({ memoryId, actorId, sessionId: `voice-${call}` });
      const restore = async (query: object): Promise<string> => {
        const body = { memoryId, turns: 4, instructions: 'You answer the phone of a clinic.', ...query };
        const path = `/v1/actors/${encodeURIComponent(actorId)}/restore`;
        const { messages } = await world.send<Restored>('POST', path, body);
        return messages
          .map(({ session, item }) => session?.instructions ?? `${item?.role}: ${item?.content[0]?.text}`)
          .join('\n');
      };
      const before = await restore({});
      let after: string | null = null;
      const said: string[] = [];
      const told: string[] = [];
      return {
        say: async ({ role, text, generated }) => {
          said.push(`${role}: ${text}`);
          if (role === 'user') {
            // In the session's first update, the user's words are known only if the backend waits for them.
            after ??= await restore({ query: text });
            told.push(`The caller said: ${text}`);
          }
          const cut = { source: 'llm', interrupted: true, original: generated };
          await world.send('POST', events, turn(role, text, generated === undefined ? {} : { metadata: cut }));
        },
        modelInput: () => Promise.resolve([before, after ?? ''].map((restored) => [restored, ...said].join('\n'))),
        // What Inworld's model made of the call.
        hangUp: async () => {
          const state = { version: 1, facts: told, summary: 'A call to the clinic.', context_text: '' };
          const counters = { turns_since_gen: 0, total_turns: said.length, items_trimmed: 0 };
          await world.send('PUT', events.replace(/events$/, 'memory-state'), { ...state, ...counters });
        },
      };
    },
    settled: () => world.stack.api.untilExtracted(memoryId),
  };
};
