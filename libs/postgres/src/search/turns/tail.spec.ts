import { atOnce } from '@turnkeeper/domain';
import { randomUUID } from 'node:crypto';
import type { IndexedTurn } from '@turnkeeper/search';
import { cheapest } from '@turnkeeper/testing';
import { describe, expect, it } from 'vitest';
import { ScopeTurns, type ReadSegment } from './scope-turns.js';
import { tailOf, type TailRow } from './tail.js';
import { encodeTurn } from './turn-segment.js';
import { WordHash } from './word-hash.js';

const ids = { tenant_id: randomUUID(), memory_id: randomUUID() };
const hashes = WordHash.ofMemory(ids.tenant_id, ids.memory_id);
const row = (position: number, content: string, more: Partial<TailRow> = {}): TailRow => ({
  ...ids,
  ...{ position, sequence: position, session_key: 1, event_id: randomUUID(), actor_id: 'ada', session_id: 'call' },
  ...{ type: 'message.appended', schema_version: 1, occurred_at: null, recorded_at: new Date(0), expires_at: null },
  data: { payloadType: 'CONVERSATIONAL', role: 'user', content },
  ...{ last_place: 3, session_languages: ['en'] },
  ...more,
});
const turn = (...terms: [string, number][]): IndexedTurn => ({
  ...{ endsWithQuestion: false, hasQuestion: false, hasTimeWord: false, names: 0, day: 0, speaker: null, role: 'user' },
  ...{ language: 'en', text: '', terms: new Map(terms) },
});
/** Three indexed turns, of which the first and the last contain the word. Positions of the log up to 10 are indexed. */
const INDEXED = 10;
const segment: ReadSegment = {
  ...{ session_key: 1, speakers: [] },
  data: Buffer.concat(
    [turn(['bicycl', 1], ['red', 4]), turn(['rain', 1]), turn(['bicycl', 2], ['blue', 4])].map((each, at) =>
      encodeTurn(each, { place: at + 1, sequence: at + 1 }, hashes, []),
    ),
  ),
};
const turnsWith = async (...rows: TailRow[]) => atOnce(ScopeTurns.of([segment], await tailOf(rows, INDEXED), hashes));
const bicycles = async (...rows: TailRow[]) => (await (await turnsWith(...rows)).postingsOf(['bicycl']))[0];
const AT_ONCE = { begin: () => ({ isDue: false, pause: async () => undefined }) };

describe('the tail of the turn index', () => {
  it('continues the places of its sessions, and replaces indexed turns', async () => {
    const rows = [
      row(12, 'A bicycle beside a bicycle'),
      row(11, 'A bicycle'),
      row(9, 'What was heard of this turn: a bicycle', { sequence: 3 }),
      row(13, 'A bicycle elsewhere', { session_key: 2, last_place: null, session_languages: null }),
    ];
    const tail = await tailOf(rows, INDEXED);
    expect(tail.added.map(({ session, place }) => [session, place])).toEqual([
      [1, 4],
      [1, 5],
      [2, 1],
    ]);
    expect(tail.newSessions).toBe(1);
    const term = await bicycles(...rows);
    expect(term).toMatchObject({ turns: 5, sessions: 2 });
    expect(term?.postings[0]).toMatchObject({ session: 1, total: 5 });
    expect([...(term?.postings[0]?.places ?? [])].sort()).toEqual([1, 3, 4, 5]);
    expect(term?.postings[1]).toMatchObject({ session: 2, places: [1], counts: [1], total: 1 });
  });

  it('takes turns out of which nothing was heard', async () => {
    const rows = [row(9, '', { sequence: 3 }), row(8, '', { sequence: 1 })];
    expect(await bicycles(...rows)).toMatchObject({ turns: 0, sessions: 0, postings: [] });
    expect((await turnsWith(...rows)).size).toEqual({ turns: 1, sessions: 1, words: 1 });
  });

  it('counts a turn once that was indexed after the tail was read', async () => {
    expect(await bicycles(row(11, 'Two bicycles', { sequence: 3, last_place: 2 }))).toMatchObject({
      ...{ turns: 2, sessions: 1 },
      postings: [{ places: [1, 3], counts: [1, 1] }],
    });
  });

  it('lets other requests go on while it is tokenized', async () => {
    let others = 0;
    const count = (): void => {
      others += 1;
      if (others < 1_000) setImmediate(count);
    };
    setImmediate(count);
    await tailOf(
      Array.from({ length: 400 }, (_, index) => row(INDEXED + index + 1, 'bicycle '.repeat(250))),
      INDEXED,
    );
    // 400 messages of 2,000 characters.
    expect(others).toBeGreaterThan(10);
    others = 1_000;
  });

  it('pauses between the segments of a large scope', async () => {
    const segments = Array.from({ length: 5 }, (_, at) => ({ ...segment, session_key: at + 1 }));
    const turns = atOnce(ScopeTurns.of(segments, await tailOf([], INDEXED), hashes));
    let pauses = 0;
    const always = { begin: () => ({ isDue: true, pause: async () => void (pauses += 1) }) };
    const [term] = await turns.postingsOf(['bicycl'], always);
    expect(term).toMatchObject({ turns: 10, sessions: 5, segments: 5 });
    expect(pauses).toBe(5);
  });

  it('is merged as fast if all of it is in one session', async () => {
    const turns = 4_000;
    const costOf = async (sessions: number): Promise<number> => {
      const rows = Array.from({ length: turns }, (_, index) =>
        row(INDEXED + index + 1, 'a bicycle', { session_key: 1 + (index % sessions) }),
      );
      const tail = await tailOf(rows, INDEXED);
      return cheapest(() => {
        for (let time = 0; time < 10; time += 1) {
          void atOnce(ScopeTurns.of([segment], tail, hashes)).postingsOf(['bicycl'], AT_ONCE);
        }
      });
    };
    expect(await costOf(1)).toBeLessThan(4 * (await costOf(turns)));
  });
});
