import { expect, it } from 'vitest';
import { ZegoSender } from '../harness/vendors.js';
import { expectTold, factsIn } from './checks.js';
import type { Call, Platform } from './platform.js';
import { SECRET, type World } from './world.js';

/** Longer than ZEGOCLOUD repeats a callback. */
const AFTER_RETRIES_SECONDS = 70;

/**
 * ZEGOCLOUD's own engine, whose callbacks arrive here. Before each call, the backend fetches the context for its system
 * prompt. All calls are in the same room, which names the session.
 */
export const zegoCallbacks = (world: World): Platform => {
  let memoryId = '';
  let connectorId = '';
  let instances = 0;

  return {
    title: "ZEGOCLOUD's callbacks",
    users: ['user_7', 'user_8'],
    start: async () => {
      memoryId = (await world.newMemory()).id;
      connectorId = await world.connect('zegocloud', memoryId, { sessionTemplate: '{RoomId}' });
    },
    dial: async (user): Promise<Call> => {
      const zego = new ZegoSender(world.stack.api, connectorId, SECRET);
      const instance = `191212473431783${8_336 + (instances += 1)}`;
      const contexts = await world.contextsOf(memoryId, user);
      const said: string[] = [];
      let lastWords = '';
      let round = 0;
      const post = async (event: string, data: object): Promise<void> => {
        const answer = await zego.send(zego.callback(instance, event, { ...data }));
        if (answer.status !== 200) throw new Error(`${event}: ${answer.status} ${JSON.stringify(answer.body)}`);
      };
      await post('AgentInstanceCreated', { CreatedTimestamp: Date.now() });
      return {
        say: async ({ role, text, generated }) => {
          said.push(`${role}: ${text}`);
          if (role === 'user') {
            [lastWords, round] = [text, round + 1];
            await post('UserSpeakAction', { UserId: user, Action: 'SPEAK_BEGIN', Round: round });
            return post('ASRResult', { UserId: user, Round: round, Text: text });
          }
          for (const sentence of (generated ?? text).split(/(?<=[.?!]) /)) {
            await post('LLMResult', { Round: round, Text: sentence });
          }
          if (generated !== undefined) await post('Interrupted', { Round: round, Reason: 1, PlayedText: text });
        },
        modelInput: () => contexts(lastWords, said),
        hangUp: () => post('AgentInstanceDeleted', { Code: 0, DeletedTimestamp: Date.now() }),
      };
    },
    settled: async () => {
      await world.passTime(AFTER_RETRIES_SECONDS);
      await world.untilFolded(connectorId);
      await world.stack.api.untilExtracted(memoryId);
    },
  };
};

/** Two people in a room talk to the agent in the same round. */
export const twoSpeakersInARound = (world: World): void => {
  it("tells the words of two ZEGOCLOUD users in one round apart, and takes neither's for the other's", async () => {
    const memoryId = (await world.newMemory()).id;
    const connectorId = await world.connect('zegocloud', memoryId);
    const zego = new ZegoSender(world.stack.api, connectorId, SECRET);
    const post = (event: string, data: object) => zego.send(zego.callback('1912124734317899001', event, { ...data }));
    await post('ASRResult', { UserId: 'user_7', Round: 1, Text: 'I am allergic to walnuts.' });
    await post('ASRResult', { UserId: 'user_8', Round: 1, Text: 'And I live in Harlow Road 17.' });
    await post('LLMResult', { Round: 1, Text: 'Thank you both.' });
    await post('AgentInstanceDeleted', { Code: 0, DeletedTimestamp: Date.now() });
    await world.passTime(AFTER_RETRIES_SECONDS);
    await world.untilFolded(connectorId);
    await world.stack.api.untilExtracted(memoryId);

    const contexts = await world.contextsOf(memoryId, 'user_7');
    for (const text of await contexts('Hello, it is me again.', [])) {
      expectTold(text, { 'the allergy': /walnuts/ });
      expect(text.split('\n').filter((line) => /walnuts.*Harlow/.test(line))).toEqual([]);
      const ofOther = factsIn(text).filter((line) => line.includes('Harlow'));
      expect(ofOther.filter((line) => !line.includes('user_8 said: '))).toEqual([]);
    }
  });
};
