import type { Call, Platform } from './platform.js';
import type { World } from './world.js';

interface Restored {
  readonly messages: readonly { readonly session?: { readonly instructions: string } }[];
}

/** A backend that runs its own agents and asks for the request to the model. */
const ownAgents = (world: World, title: string, sessionOf: (call: number) => string): Platform => {
  let memoryId = '';
  let agents = 0;
  const calls = new Map<string, number>();

  return {
    title,
    users: ['7d0b1c52-9f43-4d5e-8a11-c3a86fd02b9e', 'user_7'],
    start: async () => {
      memoryId = (await world.newMemory()).id;
    },
    dial: async (actorId): Promise<Call> => {
      const call = (calls.get(actorId) ?? 0) + 1;
      calls.set(actorId, call);
      const session = { memoryId, actorId, sessionId: sessionOf(call) };
      const name = `${sessionOf(call)}-${memoryId}-${(agents += 1)}`;
      const agent = await world.stack.api.startAgent(session, name);
      const path = `/v1/agents/${agent.id}`;
      const contexts = await world.contextsOf(memoryId, actorId);
      const said: string[] = [];
      let words = '';
      return {
        say: async ({ role, text, generated }) => {
          said.push(`${role}: ${text}`);
          if (role === 'user') words = text;
          await world.send('POST', `${path}/messages`, { contents: [{ role, content: generated ?? text }] });
          if (generated !== undefined) await world.send('POST', `${path}/interrupt`, { content: text });
        },
        modelInput: async () => {
          const { messages } = await world.send<Restored>('POST', `/v1/actors/${actorId}/restore`, {
            ...{ memoryId, query: words, turns: 0, instructions: 'You answer the phone of a clinic.' },
          });
          const restored = [...messages.map(({ session }) => session?.instructions ?? ''), ...said].join('\n');
          return [await world.requestToModel(agent.id), ...(await contexts(words, said)), restored];
        },
        hangUp: async () => {
          await world.stack.api.stopAgent(agent.id);
        },
      };
    },
    settled: () => world.stack.api.untilExtracted(memoryId),
  };
};

export const ownApi = (world: World): Platform =>
  ownAgents(world, 'our own API, with a session for each call', (call) => `call-${call}`);

export const ownApiInOneSession = (world: World): Platform =>
  ownAgents(world, 'our own API, with all calls of a user in one session', () => 'front-desk');
