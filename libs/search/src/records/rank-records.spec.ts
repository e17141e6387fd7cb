import { describe, expect, it } from 'vitest';
import { type FoundRecord, rankRecords } from './rank-records.js';

const found = (recordId: string, turns: Readonly<Record<string, number>>, own = 0): FoundRecord => ({
  recordId,
  own,
  matched: own > 0 ? 1 : 0,
  words: 8,
  usualWords: 8,
  known: 2,
  hasSources: true,
  turns: new Map(Object.entries(turns)),
});
const order = (...records: FoundRecord[]) => rankRecords(records, 2, 600).map(({ recordId }) => recordId);

describe('the ranking of records', () => {
  it('puts a record with another turn before a second one with the same turn', () => {
    expect(order(found('best', { t1: 1 }, 0.5), found('same', { t1: 1 }), found('other', { t2: 0.8 }))).toEqual([
      'best',
      'other',
      'same',
    ]);
  });

  it('counts the turns that no better record cites', () => {
    const both = found('both', { t1: 1, t3: 0.7 });
    expect(order(found('best', { t1: 1 }, 0.5), both, found('other', { t2: 0.6 }))).toEqual(['both', 'other', 'best']);
    expect(order(found('best', { t1: 1.5 }), both, found('other', { t2: 0.6 }))).toEqual(['best', 'both', 'other']);
  });

  it('prefers a record with several matching turns, but not to one with a much better turn', () => {
    const several = found('several', { t1: 0.6, t2: 0.6, t3: 0.6, t4: 0.6 });
    expect(order(found('one', { t5: 0.9 }), several)).toEqual(['several', 'one']);
    expect(order(several, found('one', { t5: 1.1 }))).toEqual(['one', 'several']);
  });

  it('does not lift a record with turns above a better one by its words alone', () => {
    const ranked = rankRecords([found('turn', { t1: 0.6 }), { ...found('words', {}, 0.8), matched: 2 }], 0.5, 600);
    expect(ranked.map(({ recordId }) => recordId)).toEqual(['turn', 'words']);
    expect(ranked[0]?.score).toBe(ranked[1]?.score);
    const byHand = { ...found('by hand', {}, 0.8), matched: 2, hasSources: false };
    expect(rankRecords([found('turn', { t1: 0.6 }), byHand], 0.5, 600)[0]?.recordId).toBe('by hand');
  });

  it('keeps the order of records beyond those that are compared', () => {
    const many = Array.from({ length: 200 }, (_, n) => found(`r${n}`, { [`t${n}`]: 1 - n / 1_000 }));
    expect(order(...many)).toEqual(many.map(({ recordId }) => recordId));
  });

  it('scores the best and those behind it by the number of turns; without any, as among many', () => {
    const scores = (turns: number) =>
      rankRecords([found('best', { t1: 0.6 }), found('other', { t2: 0.3 })], 2, turns).map(({ score }) => score);
    const [best = 0, other = 0] = scores(30);
    const [bestOfMany = 0, otherOfMany = 0] = scores(600);
    expect(best).toBeGreaterThan(bestOfMany);
    expect(other / best).toBeLessThan(otherOfMany / bestOfMany);
    expect(scores(0)).toEqual(scores(600));
  });

  it('scores between 0 and 1, best first', () => {
    const scores = rankRecords([found('a', { t1: 1.5 }, 1), found('b', { t1: 1.5 }), found('c', {}, 0.2)], 3, 600).map(
      ({ score }) => score,
    );
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(Math.max(...scores)).toBeLessThanOrEqual(1);
    expect(Math.min(...scores)).toBeGreaterThan(0);
  });
});
