import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Session } from '../harness/api.js';
import { projectOf, PROJECT, type AgoraClient, type Task } from './client.js';

export const bindingCases = (agora: () => AgoraClient): void => {
  describe('binds an agent by its labels', () => {
    const sessionOf = async (labels: object, app = PROJECT): Promise<Session & { status: number }> => {
      const body = { name: `bound-${randomUUID()}`, properties: { labels } };
      const { status, body: task } = await agora().stack.api.request<Task>('POST', `${app}/join`, {
        body,
        headers: { authorization: agora().authorization },
      });
      if (status !== 200) return { status, memoryId: '', actorId: '', sessionId: '' };
      const { memoryId, actorId, sessionId } = (
        await agora().stack.api.request<Session>('GET', `/v1/agents/${task.agent_id}`)
      ).body;
      return { status, memoryId, actorId, sessionId: sessionId === task.agent_id ? 'its own' : sessionId };
    };

    it('to memory, actor and session', async () => {
      expect(
        await sessionOf({ memory_id: agora().memoryId, actor_id: 'ada', user_id: 'not me', session_id: 'monday' }),
      ).toEqual({
        status: 200,
        memoryId: agora().memoryId,
        actorId: 'ada',
        sessionId: 'monday',
      });
    });

    it('to a new session if they name none; ids can be numbers', async () => {
      expect(await sessionOf({ memory_id: agora().memoryId, user_id: 7 })).toMatchObject({
        actorId: '7',
        sessionId: 'its own',
      });
    });

    it('to the memory registered for the app, never to an arbitrary one', async () => {
      const app = projectOf('registered');
      const labels = { actor_id: 'ada' };
      expect(await sessionOf(labels, app)).toMatchObject({ status: 400 });
      const registered = await agora().stack.api.request('PUT', '/v1/vendor-apps/agora/registered', {
        body: { memoryId: agora().memoryId },
      });
      expect(registered.status).toBe(200);
      expect(await sessionOf(labels, app)).toMatchObject({ status: 200, memoryId: agora().memoryId });
    });

    it('never to a default actor', async () => {
      const { status, body } = await agora().join({}, { labels: { memory_id: agora().memoryId } });
      expect([status, body]).toEqual([400, { detail: expect.any(String) as string, reason: 'MissingRequiredField' }]);
    });
  });
};
