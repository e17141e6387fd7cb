import { describe, expect, it } from 'vitest';
import type { TermPostings } from './lexical.js';
import { mergeStems, stemsOf } from './merge-stems.js';

describe('the postings of a term with several stems', () => {
  const terms = [
    { term: 'buy', stems: ['buy', 'bought'] },
    { term: 'boat', stems: ['boat'] },
  ];
  const size = { turns: 100, sessions: 10, words: 1_000 };
  const stem = (term: string, bySession: Readonly<Record<number, readonly number[]>>): TermPostings => {
    const postings = Object.entries(bySession).map(([session, places]) => ({
      session: Number(session),
      places,
      counts: places.map(() => 1),
      words: places.map((place) => 5 + place),
      total: places.length,
      sessionWords: 50,
    }));
    return { term, postings, turns: Object.values(bySession).flat().length, sessions: postings.length };
  };
  const merge = (...stems: TermPostings[]) => mergeStems(terms, stems, size);

  it('are asked for by stem', () => expect(stemsOf(terms)).toEqual(['buy', 'bought', 'boat']));

  it('contain each turn once, with the counts of all its stems', () => {
    const [buy] = merge(stem('buy', { 1: [3, 7], 2: [1] }), stem('bought', { 1: [7, 9], 3: [4] }), stem('boat', {}));
    expect(buy).toEqual({
      term: 'buy',
      turns: 5,
      sessions: 3,
      postings: [
        { session: 1, places: [3, 7, 9], counts: [1, 2, 1], words: [8, 12, 14], total: 4, sessionWords: 50 },
        { session: 2, places: [1], counts: [1], words: [6], total: 1, sessionWords: 50 },
        { session: 3, places: [4], counts: [1], words: [9], total: 1, sessionWords: 50 },
      ],
    });
  });

  it('know the length of a session from the stem that the index knows, not from a turn that is not indexed yet', () => {
    const recent = stem('buy', { 1: [9] });
    const [posting] = recent.postings;
    const unindexed = { ...recent, postings: [{ ...posting!, sessionWords: 4 }] };
    expect(merge(unindexed, stem('bought', { 1: [3] }), stem('boat', {}))[0]?.postings[0]?.sessionWords).toBe(50);
  });

  it('are those of the only stem that occurs', () => {
    const [buy, boat] = merge(stem('buy', {}), stem('bought', { 1: [2] }), stem('boat', {}));
    expect(buy).toEqual({ ...stem('bought', { 1: [2] }), term: 'buy' });
    expect(boat).toEqual({ term: 'boat', turns: 0, sessions: 0, postings: [] });
  });

  it('are those of the first word that occurs and may have been meant, if none of its own does', () => {
    const misspelt = [{ term: 'bioat', stems: ['bioat'], doubtful: 'bioat', meant: ['bloat', 'boat', 'beat'] }];
    expect(stemsOf(misspelt)).toEqual(['bioat', 'bloat', 'boat', 'beat']);
    const [boat, beat] = [stem('boat', { 1: [2] }), stem('beat', { 1: [3] })];
    expect(mergeStems(misspelt, [beat, boat], size)).toEqual([{ ...boat, term: 'bioat' }]);
    const own = stem('bioat', { 1: [5] });
    expect(mergeStems(misspelt, [boat, own], size)).toEqual([own]);
  });

  it('never hold more turns and sessions than there are, if not all are listed', () => {
    const common = (term: string) => ({ ...stem(term, { 1: [2] }), turns: 80, sessions: 9 });
    const [buy] = merge(common('buy'), common('bought'), stem('boat', {}));
    expect(buy?.turns).toBeCloseTo(96);
    expect(buy?.sessions).toBeCloseTo(9.9);
  });
});
