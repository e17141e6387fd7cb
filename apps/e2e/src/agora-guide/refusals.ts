import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { expectRefusal, projectOf, type AgoraClient, type Task } from './client.js';

export const refusalCases = (agora: () => AgoraClient): void => {
  describe("returns errors in Agora's envelope", () => {
    it('for a name in use', async () => {
      const body = { name: 'twice', properties: { labels: { memory_id: agora().memoryId, actor_id: 'ada' } } };
      const { body: running } = await agora().call<Task>('POST', '/join', body);
      const again = await agora().call('POST', '/join', body);
      expect([again.status, again.body]).toEqual([
        409,
        {
          detail: expect.stringContaining(running.agent_id) as string,
          reason: 'TaskConflict',
          agent_id: running.agent_id,
        },
      ]);
      // Names are unique within a project.
      const elsewhere = await agora().at<Task>(`${projectOf('another')}/join`, 'POST', body);
      expect(elsewhere).toMatchObject({ status: 200, body: { status: 'RUNNING' } });
    });

    it('for an agent that is unknown, of another app, or gone', async () => {
      const task = await agora().started();
      for (const id of [randomUUID(), 'nonsense']) {
        for (const [method, path] of [
          ['GET', ''],
          ['GET', '/history'],
          ['POST', '/leave'],
          ['POST', '/update'],
        ] as const) {
          const body = path === '/update' ? { properties: {} } : undefined;
          expectRefusal(await agora().call(method, `/agents/${id}${path}`, body), [404, 'TaskNotFound']);
        }
      }
      const elsewhere = `${projectOf('other')}/agents/${task.agent_id}`;
      expectRefusal(await agora().at(elsewhere, 'GET'), [404, 'TaskNotFound']);
      await agora().call('POST', `/agents/${task.agent_id}/leave`);
      expectRefusal(await agora().call('POST', `/agents/${task.agent_id}/leave`), [404, 'TaskNotFound']);
      expectRefusal(await agora().call('GET', `/agents/${task.agent_id}/history`), [404, 'TaskNotFound']);
    });

    it('for an unreadable body', async () => {
      expectRefusal(await agora().call('POST', '/join', undefined, { raw: '{"name":' }), [400, 'InvalidRequestBody']);
      expectRefusal(await agora().call('POST', '/join', { properties: {} }), [400, 'MissingRequiredField']);
      expectRefusal(await agora().join({ max_history: 0 }), [400, 'InvalidRequestBody']);
      expectRefusal(await agora().join({}, { labels: { memory_id: randomUUID(), actor_id: 'a' } }), [
        400,
        'InvalidFieldValue',
      ]);
      expectRefusal(await agora().call('GET', '/agents?cursor=bogus'), [400, 'InvalidRequestBody']);
      expectRefusal(await agora().call('GET', '/no-such-thing'), [404, 'NotImplemented']);
      const task = await agora().started();
      expectRefusal(await agora().call('POST', `/agents/${task.agent_id}/update`, {}), [400, 'MissingRequiredField']);
    });

    it('for a message that contradicts itself', async () => {
      const task = await agora().started();
      const message = { role: 'user', content: 'hi', metadata: { source: 'llm' } };
      expectRefusal(await agora().speak(task, [message]), [400, 'InvalidFieldValue']);
      expect((await agora().call('GET', `/agents/${task.agent_id}/history`)).body).toMatchObject({ contents: [] });
    });

    it('for an unauthorised caller', async () => {
      const as = (authorization: string) => agora().call('GET', '/agents', undefined, { headers: { authorization } });
      for (const bad of ['Basic nonsense', `Basic ${Buffer.from('a:b').toString('base64')}`, 'agora token=x']) {
        expectRefusal(await as(bad), [401, 'InvalidPermission']);
      }
      expect((await as(`Bearer ${agora().stack.api.apiKey}`)).status).toBe(200);
      const reader = await agora().stack.createKey({ scopes: ['agents:read'] });
      const body = { name: 'no', properties: { labels: { memory_id: agora().memoryId, actor_id: 'ada' } } };
      const headers = { authorization: `Bearer ${reader}` };
      expectRefusal(await agora().call('POST', '/join', body, { headers }), [403, 'InvalidPermission']);
    });
  });
};
