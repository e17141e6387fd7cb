import { randomUUID } from 'node:crypto';
import { cheapest } from '@turnkeeper/testing';
import { describe, expect, it } from 'vitest';
import { tailOf, withTail, type TailRow } from './tail.js';

const ids = { tenant_id: randomUUID(), memory_id: randomUUID() };
const row = (position: number, content: string, more: Partial<TailRow> = {}): TailRow => ({
  ...ids,
  ...{ position, sequence: position, session_key: 1, event_id: randomUUID(), actor_id: 'ada', session_id: 'call' },
  ...{ type: 'message.appended', schema_version: 1, occurred_at: null, recorded_at: new Date(0), expires_at: null },
  data: { payloadType: 'CONVERSATIONAL', role: 'user', content },
  ...{ last_place: 3, session_languages: ['en'], place: null, language: null },
  ...more,
});
const bicycle = {
  ...{ term: 'bicycl', turns: 2, sessions: 1 },
  postings: [{ session: 1, places: [1, 3], counts: [1, 2], words: [5, 6], total: 3, sessionWords: 20 }],
};

describe('the tail of the turn index', () => {
  it('continues the places of its sessions, and its postings replace indexed ones of the same place', async () => {
    const tail = await tailOf([
      row(12, 'A bicycle beside a bicycle'),
      row(11, 'A bicycle'),
      row(10, 'What was heard of this turn: a bicycle', { place: 3, language: 'en' }),
      row(13, 'A bicycle elsewhere', { session_key: 2, last_place: null, session_languages: null }),
    ]);
    expect(tail.turns.map(({ session, place }) => [session, place])).toEqual([
      [1, 3],
      [1, 4],
      [1, 5],
      [2, 1],
    ]);
    expect(tail.added.map(({ place }) => place)).toEqual([4, 5, 1]);
    const [term] = withTail(tail, [bicycle]);
    expect(term).toMatchObject({ turns: 5, sessions: 2 });
    expect(term?.postings[0]).toMatchObject({ places: [1, 3, 4, 5], counts: [1, 1, 1, 2], total: 5, sessionWords: 20 });
    expect(term?.postings[1]).toMatchObject({ session: 2, places: [1], counts: [1], total: 1 });
  });

  it('takes places out of which nothing was heard, and leaves other terms as they are', async () => {
    const tail = await tailOf([row(10, '', { place: 3 }), row(11, '', { place: 1 })]);
    expect(withTail(tail, [bicycle])[0]).toMatchObject({ turns: 0, sessions: 0, postings: [] });
    const unlisted = { ...bicycle, postings: [{ ...bicycle.postings[0]!, places: [], counts: [], words: [] }] };
    expect(withTail(tail, [unlisted])).toEqual([unlisted]);
  });

  it('lets other requests go on while it is tokenized', async () => {
    let others = 0;
    const count = (): void => {
      others += 1;
      if (others < 1_000) setImmediate(count);
    };
    setImmediate(count);
    await tailOf(Array.from({ length: 400 }, (_, index) => row(index + 1, 'bicycle '.repeat(250))));
    // 400 messages of 2,000 characters.
    expect(others).toBeGreaterThan(10);
    others = 1_000;
  });

  it('is merged as fast if all of it is in one session', async () => {
    const turns = 4_000;
    const costOf = async (sessions: number): Promise<number> => {
      const rows = Array.from({ length: turns }, (_, index) =>
        row(index + 1, 'a bicycle', { session_key: 1 + (index % sessions) }),
      );
      const tail = await tailOf(rows);
      return cheapest(() => {
        for (let time = 0; time < 10; time += 1) withTail(tail, [bicycle]);
      });
    };
    expect(await costOf(1)).toBeLessThan(4 * (await costOf(turns)));
  });
});
