import { describe, expect, it } from 'vitest';
import { listedPostings } from './postings.js';

describe('postings of a scope', () => {
  const sessions = { stem: 0, places: '7 30 8 12' };

  it('are grouped by session, in whatever order the places come', () => {
    const rows = [sessions, { stem: 1, places: '7 1 2 9 8 4 1 5 7 3 1 6' }];
    expect(listedPostings(['walnut'], rows)).toEqual([
      {
        term: 'walnut',
        turns: 3,
        sessions: 2,
        postings: [
          { session: 7, places: [1, 3], counts: [2, 1], words: [9, 6], total: 3, sessionWords: 30 },
          { session: 8, places: [4], counts: [1], words: [5], total: 1, sessionWords: 12 },
        ],
      },
    ]);
  });

  it('leave out sessions that are not in the scope', () => {
    const [walnut] = listedPostings(['walnut'], [sessions, { stem: 1, places: '7 1 1 9 66 2 1 5' }]);
    expect(walnut).toMatchObject({ turns: 1, sessions: 1, postings: [{ session: 7 }] });
  });

  it('are empty for a word of no turn and in an empty scope', () => {
    const none = { turns: 0, sessions: 0, postings: [] };
    expect(listedPostings(['oak'], [sessions])).toEqual([{ term: 'oak', ...none }]);
    expect(listedPostings(['oak'], [{ stem: 0, places: null }])).toEqual([{ term: 'oak', ...none }]);
  });
});
