import { describe, expect, it } from 'vitest';
import { memorySeed } from './hash-text.js';
import { HeldTurns, type SessionRow } from './held-turns.js';

/** A session of turns on consecutive days, without words. */
const session = (key: number, days: readonly number[], more: Partial<SessionRow> = {}): SessionRow => ({
  ...{ session_key: key, words: 10 * days.length, first_day: Math.min(...days), last_day: Math.max(...days) },
  ...{ speakers: [], languages: ['en'], turns: days.map((day, n) => `${n + 1} ${n + 1} ${day} 0 0 10`).join(',') },
  ...more,
});
const turnsOf = (...rows: readonly SessionRow[]): HeldTurns => {
  const held = new HeldTurns(memorySeed('tenant', 'memory'));
  for (const row of rows) held.set(row);
  return held;
};

describe('turns of an actor in memory', () => {
  it('are summed over sessions', () => {
    const held = turnsOf(session(7, [4, 9], { speakers: ['nora', 'ada'] }), session(3, [2], { speakers: ['nora'] }));
    expect(held.summary()).toEqual({
      ...{ sessions: 2, turns: 3, words: 30, first_day: 2, last_day: 9 },
      ...{ speakers: ['ada', 'nora'], languages: ['en'] },
    });
    held.delete(7);
    expect(held.summary()).toMatchObject({ sessions: 1, turns: 1, first_day: 2, last_day: 2, speakers: ['nora'] });
    held.delete(3);
    expect(held.summary()).toMatchObject({ sessions: 0, turns: 0, words: 0, first_day: null, last_day: null });
  });

  it('have the languages of at least one session in ten, the most frequent first, at most three', () => {
    const rows = [...Array(20).keys()].map((key) =>
      session(key + 1, [1], {
        languages: key < 2 ? ['en', 'vi', 'de', 'fr'] : key < 3 ? ['zh', 'vi'] : ['vi', 'de'],
      }),
    );
    expect(turnsOf(...rows).summary().languages).toEqual(['vi', 'de', 'en']);
    expect(turnsOf(...rows.slice(2)).summary().languages).toEqual(['vi', 'de']);
  });

  it('are listed by day, including the first and the last one, by session and place', () => {
    const held = turnsOf(session(9, [5, 6, 7]), session(2, [7, 8]), session(4, [1, 20]));
    const places = [
      [2, 1],
      [9, 2],
      [9, 3],
    ];
    expect(held.fromDays(6, 7, 10)).toEqual(places);
    expect(held.fromDays(6, 7, 2)).toEqual(places.slice(0, 2));
  });

  it('take memory only while they are held', () => {
    const words = Array.from({ length: 30 }, (_, n) => `${n + 1} 1 1 0 0 2 1${n} 1 2${n} 1`).join(',');
    const held = turnsOf(session(1, [1]));
    const before = held.bytes;
    held.set(session(2, [1], { turns: words }));
    expect(held.bytes).toBeGreaterThan(before + 30 * 100);
    held.delete(2);
    expect(held.bytes).toBe(before);
  });
});
