import { it } from 'vitest';
import { FIRST_CALL, UNHEARD } from './lines.js';
import { expectNotTold } from './checks.js';
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

/** What a model with tools for searching is given. */
export const searchesAfterAnInterruption = (world: World): void => {
  it('lets no search of our own API find what an interruption cut off', async () => {
    const { id: memoryId } = await world.newMemory();
    const session = { memoryId, actorId: 'user_7', sessionId: 'call-1' };
    const agent = await world.stack.api.startAgent(session, `desk-${memoryId}`);
    for (const { role, text, generated } of FIRST_CALL) {
      await world.send('POST', `/v1/agents/${agent.id}/messages`, { contents: [{ role, content: generated ?? text }] });
      if (generated !== undefined) await world.send('POST', `/v1/agents/${agent.id}/interrupt`, { content: text });
    }
    await world.stack.api.stopAgent(agent.id);
    await world.stack.api.untilExtracted(memoryId);

    const query = 'What is the charge, and where do I pay? 38 euros at the Marlow Street counter?';
    const memory = `/memory/memories/${memoryId}`;
    for (const path of [
      `${memory}/memory-records:search?namespace=/facts/user_7`,
      `${memory}/actors/user_7/events:search`,
      `${memory}/actors/user_7/sessions/call-1/events:search`,
    ]) {
      expectNotTold(JSON.stringify(await world.send('POST', path, { query, limit: 10 })), UNHEARD);
    }
  });
};
