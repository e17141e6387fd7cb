import { randomUUID } from 'node:crypto';
import { ShortTermMemory } from '@turnkeeper/short-term-memory';
import { shortTermMemoryLaws } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsPath } from './harness/api.js';
import { runPage } from './harness/page-commands.js';
import { Stack } from './harness/stack.js';

describe('the guide to SQLiteShortTermMemory, moved here', () => {
  let stack: Stack;
  let memoryId: string;

  beforeAll(async () => {
    stack = await Stack.start();
    memoryId = (await stack.api.createMemory({})).id;
  });
  afterAll(() => stack?.stop());

  const memoryOf = (actorId: string, inMemory = memoryId): ShortTermMemory =>
    new ShortTermMemory({ baseUrl: stack.api.url, apiKey: stack.api.apiKey!, memoryId: inMemory, actorId });

  shortTermMemoryLaws('A memory on a server', async () => memoryOf('ada', (await stack.api.createMemory({})).id));

  it('has a page whose commands work', async () => {
    const variables = { TURNKEEPER_URL: stack.api.url, TURNKEEPER_API_KEY: stack.api.apiKey! };
    expect((await runPage('sqlite', variables)).trim().split('\n')).toEqual([
      '["user","What is the highest mountain of Andorra?"]',
      '["assistant","Coma Pedrosa."]',
      ...['USER: What is the highest mountain of Andorra?', '', 'ASSISTANT: Coma Pedrosa.'],
      ...['Coma Pedrosa.', 'Coma Pedrosa'],
    ]);
  });

  describe('what a server adds', () => {
    it('separates actors by default', async () => {
      const [ada, bob] = [memoryOf('ada'), memoryOf('bob')];
      await bob.addMemory('s', 'user', 'What is my name?');
      await bob.addMemory('s', 'assistant', 'Bob.');
      expect(await ada.getContext('s')).toEqual([]);
      expect(await ada.getExactMatchAnswer('What is my name?')).toBeNull();
      expect(await ada.getExactMatchAnswer('What is my name?', { sessionId: 's' })).toBeNull();
      expect(await ada.getExactMatchAnswer('What is my name?', { everyActor: true })).toBe('Bob.');
      const foreign = memoryOf('bob', (await stack.api.createMemory({})).id);
      expect(await foreign.getExactMatchAnswer('What is my name?', { everyActor: true })).toBeNull();
    });

    it('keeps cleared messages in the log', async () => {
      const memory = memoryOf('carol');
      await memory.addMemory('s', 'user', 'before');
      await memory.clearSession('s');
      await memory.addMemory('s', 'user', 'after');
      expect(await memory.formatAsString('s')).toBe('USER: after');
      const history = await stack.api.history({ memoryId, actorId: 'carol', sessionId: 's' });
      expect(history.map(({ payload }) => payload.message)).toEqual(['before', 'after']);
    });

    it('returns where an answer came from', async () => {
      const memory = memoryOf('dave');
      await memory.addMemory('s', 'user', 'Where?');
      const session = { memoryId, actorId: 'dave', sessionId: 's' };
      await stack.api.append(session, {
        payload: { type: 'CONVERSATIONAL', role: 'assistant', message: 'Here.' },
        eventTimestamp: '2026-01-02T03:04:05.000Z',
      });
      const [, answer] = await stack.api.history(session);
      const path = `/v1/memories/${memoryId}/actors/dave/exact-match?query=${encodeURIComponent('Where?')}`;
      expect((await stack.api.request('GET', path)).body).toEqual({
        answer: 'Here.',
        match: {
          eventId: answer!.id,
          actorId: 'dave',
          sessionId: 's',
          sequence: 2,
          answeredAt: '2026-01-02T03:04:05.000Z',
        },
      });
    });

    it('returns an interrupted message as heard, and times as sent', async () => {
      const session = { memoryId, actorId: 'erin', sessionId: 's' };
      await stack.api.append(session, {
        payload: { type: 'CONVERSATIONAL', role: 'user', message: 'hi' },
        eventTimestamp: '2026-01-02T03:04:05.000Z',
      });
      const agent = await stack.api.startAgent(session, `cut-${randomUUID()}`);
      await stack.api.append(session, {
        payload: { type: 'CONVERSATIONAL', role: 'assistant', message: 'Hello there.' },
      });
      await stack.api.request('POST', `/v1/agents/${agent.id}/interrupt`, { body: { content: 'Hello' } });
      expect(await memoryOf('erin').getContext('s')).toMatchObject([
        { content: 'hi', timestamp: '2026-01-02T03:04:05.000Z' },
        { content: 'Hello', metadata: { interrupted: true, original: 'Hello there.' } },
      ]);
    });

    it('reports errors by code', async () => {
      const unknown = memoryOf('ada', randomUUID());
      const refused = { status: 404, code: 'memory.not_found' };
      await expect(unknown.addMemory('s', 'user', 'hi')).rejects.toMatchObject(refused);
      await expect(unknown.getContext('s')).rejects.toMatchObject(refused);
      await expect(unknown.getExactMatchAnswer('hi')).rejects.toMatchObject(refused);
      await expect(unknown.clearSession('s')).rejects.toMatchObject(refused);
      const other = await stack.createKey({ tenant: 'globex' });
      const theirs = new ShortTermMemory({ baseUrl: stack.api.url, apiKey: other, memoryId, actorId: 'bob' });
      await expect(theirs.getContext('s')).rejects.toMatchObject(refused);
      await expect(theirs.getExactMatchAnswer('What is my name?', { everyActor: true })).rejects.toMatchObject(refused);
    });

    it('rejects a message that contradicts itself on every route', async () => {
      const session = { memoryId, actorId: 'ada', sessionId: 'rules' };
      const body = {
        payload: { type: 'CONVERSATIONAL', role: 'user', message: 'hi' },
        metadata: { interrupted: true },
      };
      const one = await stack.api.request('POST', eventsPath(session), { body });
      expect([one.status, one.body]).toMatchObject([400, { code: 'message.invalid', field: 'metadata.interrupted' }]);
      const fine = { payload: body.payload };
      const many = await stack.api.request('POST', eventsPath(session), { body: { events: [fine, body] } });
      expect([many.status, many.body]).toMatchObject([400, { field: 'events.1.metadata.interrupted' }]);
      expect(await stack.api.history(session)).toEqual([]);
    });
  });
});
