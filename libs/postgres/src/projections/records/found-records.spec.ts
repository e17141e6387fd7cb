import { atOnce } from '@turnkeeper/domain';
import { describe, expect, it } from 'vitest';
import { bestFound } from './found-records.js';
import { citingRecordsOf, wordsFoundOf } from './found-rows.js';

const best = (records: string | null, citing: string | null, scores: readonly number[], most: number) => {
  const row = { weights: [2, 1, 0], whole: 4, known: 2, usual_words: 8, records };
  return atOnce(bestFound(wordsFoundOf(row), citingRecordsOf(citing), scores, most));
};
const order = (...found: Parameters<typeof best>) => best(...found).map(({ recordId }) => recordId);

describe('records found by their words and by their turns', () => {
  it('are ordered by both together, then by newest', () => {
    const byWords = 'a 1 5 2 1 0 b 1 5 1 1 1 c 2 5 1 1 0';
    expect(order(byWords, 'b 1 5 2 1', [0.9], 9)).toEqual(['b', 'a', 'c']);
    expect(order(byWords, null, [], 9)).toEqual(['a', 'c', 'b']);
    expect(order(byWords, 'd 1 5 0 2,1', [0.2, 0.4], 2)).toEqual(['d', 'a']);
    expect(best(null, null, [], 9)).toEqual([]);
  });

  it('have the words and turns of both', () => {
    const [both, onlyCited] = best('b 1 5 1 1 0', 'b 1 5 2 1,2 e 1 6 1,-2,3 2', [0.9, 0.5], 9);
    expect(both).toMatchObject({ own: 0.25, matched: 1, words: 5, hasSources: true });
    expect([...(both?.turns.values() ?? [])]).toEqual([0.9, 0.5]);
    // The third word was not searched for, and the second one is there in another form.
    expect(onlyCited).toMatchObject({ own: (2 + 0.8) / 4, matched: 2, words: 6, usualWords: 8, known: 2 });
  });
});
