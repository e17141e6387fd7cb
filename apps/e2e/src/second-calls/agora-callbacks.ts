import { AgoraSender } from '../harness/vendors.js';
import type { Line } from './lines.js';
import type { Call, Platform } from './platform.js';
import { SECRET, type World } from './world.js';

/** JSON numbers of 19 digits, as databases number their users. Both are the same double. */
const [CALLER, OTHER] = ['7301928374650912831', '7301928374650912833'];

/**
 * Agora's own engine, whose notifications arrive here: the history of a call after its end. Before each call, the backend
 * fetches the context for its system messages. Every call is in the same channel, which is the session.
 */
export const agoraCallbacks = (world: World): Platform => {
  let memoryId = '';
  let connectorId = '';
  let calls = 0;

  return {
    title: "Agora's notifications",
    users: [CALLER, OTHER],
    start: async () => {
      memoryId = (await world.newMemory()).id;
      connectorId = await world.connect('agora', memoryId);
    },
    dial: async (user): Promise<Call> => {
      const agora = new AgoraSender(world.stack.api, connectorId, SECRET);
      const startedAt = 1_751_000_000 + 600 * (calls += 1);
      const agent = { agent_id: `1NT29X10YHxxxxxWJOXLYHNYB${calls}`, name: `clinic-${calls}`, channel: 'room-9' };
      const contents: object[] = [];
      const contexts = await world.contextsOf(memoryId, user);
      const said: string[] = [];
      let lastWords = '';
      let turnId = 0;
      /** The label is a number in what Agora sends, as the backend gave it. */
      const notify = async (eventType: number, more: object): Promise<void> => {
        const payload = { ...agent, start_ts: startedAt, labels: { user_id: '#user' }, ...more };
        const notice = { noticeId: `${agent.agent_id}:${eventType}`, productId: 17, eventType, notifyMs: Date.now() };
        const body = JSON.stringify({ ...notice, sid: `sid-${calls}`, payload }).replace('"#user"', user);
        const answer = await agora.raw(body);
        if (answer.status !== 200) throw new Error(`${eventType}: ${answer.status} ${JSON.stringify(answer.body)}`);
      };
      await notify(101, {});
      return {
        say: ({ role, text, generated }: Line) => {
          said.push(`${role}: ${text}`);
          if (role === 'user') [lastWords, turnId] = [text, turnId + 1];
          const at = startedAt + contents.length;
          const cut = { interrupted: true, interrupt_timestamp: at, original: generated };
          const metadata =
            role === 'user'
              ? { source: 'asr', user }
              : { ...(generated === undefined ? {} : cut), source: turnId === 0 ? 'greeting' : 'llm' };
          contents.push({ role, content: text, turn_id: turnId, timestamp: at, metadata });
          return Promise.resolve();
        },
        modelInput: () => contexts(lastWords, said),
        hangUp: async () => {
          await notify(103, { stop_ts: startedAt + 60, contents });
          await notify(102, { stop_ts: startedAt + 60, status: 'STOPPED', message: 'OK' });
        },
      };
    },
    settled: async () => {
      await world.untilFolded(connectorId);
      await world.stack.api.untilExtracted(memoryId);
    },
  };
};
