import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Problem } from '../harness/answers.js';
import { eventsPath, turn, type Api } from '../harness/api.js';
import { startService, type Service } from '../harness/service.js';
import type { AccessWorld } from './world.js';

export const runtimeHeaderCases = (world: AccessWorld): void => {
  describe("the runtime's headers", () => {
    let strict: Service;
    let api: Api;
    let memoryId: string;
    beforeAll(async () => {
      strict = await startService('ingest', { ...world.stack.settings, RUNTIME_HEADERS: 'required' });
      api = world.stack.apiOf(strict);
      memoryId = (await api.createMemory({})).id;
    });
    afterAll(() => strict.end('SIGTERM'));
    const runtime = (user?: string, session?: string): Record<string, string> => ({
      ...(user === undefined ? {} : { 'X-GreenNode-AgentBase-User-Id': user }),
      ...(session === undefined ? {} : { 'X-GreenNode-AgentBase-Session-Id': session }),
    });
    const session = () => ({ memoryId, actorId: 'ada', sessionId: 'monday' });
    const append = (by: Api, headers: Record<string, string>) =>
      by.request<Problem>('POST', eventsPath(session()), { body: turn('user', 'hello'), headers });
    /** Tested where the headers are optional: a list of actors belongs to no single user. */
    const actors = async () =>
      (await world.stack.api.request<{ listData: { actorId: string }[] }>('GET', `/memory/memories/${memoryId}/actors`))
        .body.listData;

    it.each([
      ['both are missing', {}, 'X-GreenNode-AgentBase-User-Id'],
      ['the user is missing', runtime(undefined, 'monday'), 'X-GreenNode-AgentBase-User-Id'],
      ['the user is empty', runtime('', 'monday'), 'X-GreenNode-AgentBase-User-Id'],
      ['the session is missing', runtime('ada'), 'X-GreenNode-AgentBase-Session-Id'],
    ])('are requested where they are required: %s', async (_, headers, field) => {
      expect(await append(api, headers)).toMatchObject({
        status: 400,
        body: { code: 'runtime.headers_missing', field },
      });
      // Nothing was written to another user instead.
      expect(await actors()).toEqual([]);
    });

    it('are required where the body names the actor, too', async () => {
      const body = { ...session(), name: 'desk' };
      const start = (headers: Record<string, string>) => api.request<Problem>('POST', '/v1/agents', { body, headers });
      expect(await start({})).toMatchObject({ status: 400, body: { code: 'runtime.headers_missing' } });
      expect(await start(runtime('eve', 'monday'))).toMatchObject({ status: 403, body: { field: 'actorId' } });
      expect(await actors()).toEqual([]);
    });

    it('must match the user of the request', async () => {
      for (const [headers, field] of [
        [runtime('eve', 'monday'), 'actorId'],
        [runtime('ada', 'tuesday'), 'sessionId'],
      ] as const) {
        expect(await append(api, headers)).toMatchObject({
          status: 403,
          body: { code: 'runtime.user_differs', field },
        });
      }
      expect(await actors()).toEqual([]);
      expect((await append(api, runtime('ada', 'monday'))).status).toBe(200);
      expect(await actors()).toMatchObject([{ actorId: 'ada' }]);
    });

    it('change no settings of a memory', async () => {
      const path = `/memory/memories/${memoryId}`;
      const change = { eventExpiryDuration: 1, applyToExisting: true };
      const strategy = { name: 'likes', type: 'USER_PREFERENCE' };
      for (const [method, url, body] of [
        ['PATCH', path, change],
        ['POST', `${path}/long-term-memory-strategies`, strategy],
        ['POST', '/memory/memories', { name: 'mine' }],
      ] as const) {
        const answer = await api.request<Problem>(method, url, { body, headers: runtime('ada', 'monday') });
        expect(answer).toMatchObject({ status: 403, body: { code: 'runtime.not_for_everyone' } });
      }
      // An application without a user still configures its memories.
      expect((await api.request('PATCH', path, { body: { description: 'of the desk' } })).status).toBe(200);
    });

    it('are enforced when sent, even where they are optional', async () => {
      expect((await append(world.stack.api, {})).status).toBe(200);
      expect((await append(world.stack.api, runtime('ada', 'monday'))).status).toBe(200);
      expect((await append(world.stack.api, runtime('ada'))).status).toBe(400);
      expect((await append(world.stack.api, runtime('eve', 'monday'))).status).toBe(403);
    });
  });
};
