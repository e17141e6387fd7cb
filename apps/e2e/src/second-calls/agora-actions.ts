import type { Call, Platform } from './platform.js';
import type { World } from './world.js';

interface Task {
  readonly agent_id: string;
}

/** A client of Agora's agent API, whose speech engine posts what was said. Every call is in the same channel. */
export const agoraActions = (world: World): Platform =>
  agoraClient(world, "Agora's agent API", ['"user123"', '"user1234"']);

/** Users whose ids are JSON numbers of 19 digits in the labels, as databases number them. Both are the same double. */
export const agoraActionsOfNumbers = (world: World): Platform =>
  agoraClient(world, "Agora's agent API, with numbers as ids", ['7301928374650912831', '7301928374650912833']);

/** @param users as they are in the JSON of the labels */
const agoraClient = (world: World, title: string, users: readonly [string, string]): Platform => {
  let memoryId = '';
  let calls = 0;
  const act = async <T>(path: string, raw?: string): Promise<T> => {
    // Agora's customer id and secret: the two parts of an API key.
    const [, customer, secret] = world.stack.api.apiKey!.split('_');
    const answer = await world.stack.api.request<T>(
      'POST',
      `/api/conversational-ai-agent/v2/projects/${memoryId}${path}`,
      {
        ...(raw === undefined ? {} : { raw }),
        headers: { authorization: `Basic ${Buffer.from(`${customer}:${secret}`).toString('base64')}` },
      },
    );
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };

  return {
    title,
    users,
    start: async () => {
      memoryId = (await world.newMemory()).id;
      await world.send('PUT', `/v1/vendor-apps/agora/${memoryId}`, { memoryId });
    },
    dial: async (user): Promise<Call> => {
      const join = {
        name: `clinic-${(calls += 1)}`,
        properties: {
          channel: 'room-9',
          token: 'rtc token',
          agent_rtc_uid: '0',
          remote_rtc_uids: ['1001'],
          labels: { user_id: '#user' },
          llm: {
            url: 'https://llm.example.com/chat/completions',
            style: 'openai',
            max_history: 32,
            system_messages: [{ role: 'system', content: 'You answer the phone of a clinic.' }],
          },
        },
      };
      const { agent_id: agentId } = await act<Task>('/join', JSON.stringify(join).replace('"#user"', user));
      let turnId = 0;
      return {
        say: async ({ role, text, generated }) => {
          if (role === 'user') turnId += 1;
          const timestamp = 1_751_000_000 + turnId;
          const cut = { interrupted: true, interrupt_timestamp: timestamp + 1, original: generated };
          const metadata =
            role === 'user'
              ? { source: 'asr', user: user.replaceAll('"', '') }
              : { ...(generated === undefined ? {} : cut), source: turnId === 0 ? 'greeting' : 'llm' };
          const contents = [{ role, content: text, turn_id: turnId, timestamp, metadata }];
          await act(`/agents/${agentId}/history`, JSON.stringify({ contents }));
        },
        modelInput: async () => [await world.requestToModel(agentId)],
        hangUp: () => act(`/agents/${agentId}/leave`),
      };
    },
    settled: () => world.stack.api.untilExtracted(memoryId),
  };
};
