import { expect } from 'vitest';
import { zegoQuery } from '../harness/vendors.js';
import type { Call, Platform } from './platform.js';
import type { World } from './world.js';

const APP = { id: 1_029_384_756, secret: '9193cc662a4c0ec135ec71fb57194b38' };

interface Envelope<T> {
  readonly Code: number;
  readonly Data?: T;
}

/** A client of ZEGOCLOUD's agent API: one robot and one room for all users; calls of a user with it are one archive. */
export const zegoActions = (world: World): Platform => {
  let memoryId = '';
  const act = async <T = undefined>(action: string, body: object): Promise<T> => {
    const answer = await fetch(`${world.stack.api.url}/?${zegoQuery(APP, action)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { Code, Data } = (await answer.json()) as Envelope<T>;
    expect([action, Code]).toEqual([action, 0]);
    return Data as T;
  };

  return {
    title: "ZEGOCLOUD's agent API",
    users: ['user_7', 'user_70'],
    start: async () => {
      memoryId = (await world.newMemory()).id;
      await world.send('PUT', `/v1/vendor-apps/zegocloud/${APP.id}`, { memoryId, secret: APP.secret });
    },
    dial: async (user): Promise<Call> => {
      const { AgentInstanceId } = await act<{ AgentInstanceId: string }>('CreateAgentInstance', {
        AgentId: 'clinic_agent',
        UserId: user,
        RTC: { RoomId: 'room_1', AgentStreamId: 'agent_stream', AgentUserId: 'robot', UserStreamId: 'user_stream' },
        LLM: { Url: 'https://llm.example.com/chat/completions', Model: 'm', SystemPrompt: 'You answer the phone.' },
        MessageHistory: { SyncMode: 0, WindowSize: 30, ZIM: { RobotId: '@RBT#clinic', LoadMessageCount: 10 } },
      });
      return {
        say: async ({ role, text, generated }) => {
          const Messages = [{ Role: role, Content: generated ?? text }];
          await act('AddAgentInstanceMsg', { AgentInstanceId, Messages });
          // ZEGOCLOUD's API has no action for it.
          if (generated !== undefined) {
            await world.send('POST', `/v1/agents/${AgentInstanceId}/interrupt`, { content: text });
          }
        },
        modelInput: async () => [await world.requestToModel(AgentInstanceId)],
        hangUp: () => act('DeleteAgentInstance', { AgentInstanceId }),
      };
    },
    settled: () => world.stack.api.untilExtracted(memoryId),
  };
};
