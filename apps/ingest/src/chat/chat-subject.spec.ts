import { wholeTenant } from '@turnkeeper/domain';
import { describe, expect, it } from 'vitest';
import { chatSubject } from './chat-subject.js';

const memoryId = '0190c0de-0000-7000-8000-000000000001';
const body = { messages: [{ role: 'user', content: 'Hello.' }] };
const ids = { derive: (...parts: readonly (string | number)[]) => parts.join('|') };
const actorOf = (places: { headers?: Record<string, string>; query?: { actorId?: string }; user?: string }) =>
  chatSubject(
    wholeTenant('t'),
    {
      headers: places.headers ?? {},
      query: { memoryId, ...places.query },
      body: { ...body, ...(places.user === undefined ? {} : { user: places.user }) },
    },
    ids,
    '2026-11-24T10:00:00.000Z',
  ).actorId;

describe('the user of a chat request', () => {
  it.each(['Łukasz', 'Huế', 'Ã©', 'user-7'])('is what the query or the body says: %s', (actorId) => {
    expect(actorOf({ query: { actorId } })).toBe(actorId);
    expect(actorOf({ user: actorId })).toBe(actorId);
  });

  it('is what a header says in UTF-8, before everything else', () => {
    const header = Buffer.from('Łukasz', 'utf8').toString('latin1');
    expect(actorOf({ headers: { 'turnkeeper-actor': header }, query: { actorId: 'other' } })).toBe('Łukasz');
  });
});
