import type { Call, Platform } from './platform.js';
import type { World } from './world.js';

const rtvi = (type: string, data?: object): object => ({
  label: 'rtvi-ai',
  type,
  ...(data === undefined ? {} : { data }),
});

/**
 * A pipeline of Pipecat, whose observer forwards RTVI messages: what the model wrote, sentence by sentence, and each word
 * when it is spoken. All calls of a user are in one session.
 */
export const pipecat = (world: World): Platform => {
  let memoryId = '';
  let connectorId = '';
  let calls = 0;

  return {
    title: "Pipecat's messages",
    users: ['cus_QX2m8VbT0aPz1d', 'cus_QX2m8VbT0aPz1e'],
    start: async () => {
      memoryId = (await world.newMemory()).id;
      connectorId = await world.connect('pipecat', memoryId);
    },
    dial: async (actor): Promise<Call> => {
      const call_id = `run-${(calls += 1)}`;
      const contexts = await world.contextsOf(memoryId, actor);
      const said: string[] = [];
      let lastWords = '';
      let position = 0;
      const forward = async (events: readonly object[], more: object = {}): Promise<void> => {
        const place = { actor_id: actor, session_id: 'clinic', call_id, position };
        position += events.length;
        await world.forward('pipecat', connectorId, { ...place, events, ...more });
      };
      await forward([rtvi('bot-ready', { version: '2.0.0' })]);
      return {
        say: async ({ role, text, generated }) => {
          said.push(`${role}: ${text}`);
          if (role === 'user') {
            lastWords = text;
            const transcript = { text, user_id: '', timestamp: new Date().toISOString(), final: true };
            const events = ['user-started-speaking', 'user-stopped-speaking'].map((type) => rtvi(type));
            return forward(events.toSpliced(1, 0, rtvi('user-transcription', transcript)));
          }
          const written = rtvi('bot-transcription', { text: generated ?? text });
          await forward([rtvi('bot-llm-started'), written, rtvi('bot-started-speaking')]);
          await forward(text.split(' ').map((word) => rtvi('bot-tts-text', { text: word })));
          const cut = generated === undefined ? [] : [rtvi('bot-interrupted')];
          return forward([...cut, rtvi('bot-stopped-speaking')]);
        },
        modelInput: () => contexts(lastWords, said),
        hangUp: () => forward([], { ended: true }),
      };
    },
    settled: async () => {
      await world.untilFolded(connectorId);
      await world.stack.api.untilExtracted(memoryId);
    },
  };
};
