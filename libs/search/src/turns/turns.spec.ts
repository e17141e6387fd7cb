import { atOnce } from '@turnkeeper/domain';
import { describe, expect, it } from 'vitest';
import { calibrated, turnCalibration } from './calibrate.js';
import { indexTurn } from './index-turn.js';
import { scoreWords, type TermPostings } from './lexical.js';
import { RECIPE } from './recipe.js';
import { traitsOf } from './traits.js';

const said = (content: string, more = {}) => ({ payloadType: 'CONVERSATIONAL', role: 'user', content, ...more });

describe('a turn', () => {
  it('has traits for questions, times and names', () => {
    expect(traitsOf('I met Ada in "Paris" last week. Did you?')).toEqual({
      endsWithQuestion: true,
      hasQuestion: true,
      hasTimeWord: true,
      names: 1,
    });
    expect(traitsOf('Well. I like it')).toEqual({
      endsWithQuestion: false,
      hasQuestion: false,
      hasTimeWord: false,
      names: 0,
    });
  });
  it('is not searchable if no participant said it', () => {
    const at = '2025-01-01T00:00:00Z';
    expect(indexTurn(said('x', { role: 'system' }), at, 'en')).toBeNull();
    expect(indexTurn(said('x', { metadata: { source: 'memory' } }), at, 'en')).toBeNull();
    expect(indexTurn(said('  '), at, 'en')).toBeNull();
    expect(indexTurn(said('hello', { metadata: { speaker: ' Ada ' } }), at, 'en')).toMatchObject({ speaker: 'ada' });
  });
});

describe('matched words', () => {
  const size = { turns: 100, sessions: 10, words: 1_000 };
  const term = (name: string, ...places: number[]): TermPostings => ({
    term: name,
    turns: places.length,
    sessions: 1,
    postings: [
      {
        session: 1,
        places,
        counts: places.map(() => 1),
        words: places.map(() => 10),
        total: places.length,
        sessionWords: 100,
      },
    ],
  });
  const score = (...terms: TermPostings[]) => atOnce(scoreWords(terms, size, RECIPE, 100));
  it('count most in their own turn, then for the next turn, then for the previous one', () => {
    const order = score(term('a', 10)).map(({ place }) => place);
    expect(order.slice(0, 3)).toEqual([10, 11, 9]);
    expect([...order].sort((a, b) => a - b)).toEqual([6, 7, 8, 9, 10, 11, 12, 13, 14]);
  });
  it('count more if they are rarer, and more together', () => {
    expect(score(term('rare', 10), term('common', 30, 50, 70))[0]?.place).toBe(10);
    expect(score(term('a', 10, 20), term('b', 20))[0]?.place).toBe(20);
  });
  it('are the same best turns however many are asked for, ties included', () => {
    const terms = [term('a', 10, 20, 30, 40), term('b', 30, 60)];
    const all = atOnce(scoreWords(terms, size, RECIPE, 1_000));
    expect(all.length).toBeGreaterThan(20);
    for (let most = 0; most <= all.length; most += 1)
      expect(atOnce(scoreWords(terms, size, RECIPE, most))).toEqual(all.slice(0, most));
  });
  it('never reach before the first turn', () => {
    expect(score(term('a', 1)).every(({ place }) => place >= 1)).toBe(true);
  });
});

describe('a score', () => {
  const score = (raw: number, weight: number, best = raw) => calibrated(raw, weight, best, turnCalibration(false, 600));
  it('increases with the recipe’s sum and its weight, and never reaches 1', () => {
    expect(score(0, 3)).toBe(0);
    expect(score(0.2, 1)).toBeLessThan(score(0.3, 1));
    expect(score(0.5, 1)).toBeLessThan(score(0.5, 4));
    expect(score(2, 9)).toBeLessThan(1);
  });
  it('decreases slightly relative to the best hit', () => {
    expect(score(0.5, 4, 1)).toBeLessThan(score(1, 4));
    expect(score(0.5, 4, 1)).toBeGreaterThan(score(0.5, 4));
  });
  it('decreases as its own sum does among few turns, which are all near the best one', () => {
    const among = (turns: number) => calibrated(0.5, 4, 1, turnCalibration(false, turns));
    expect(among(30)).toBeCloseTo(score(0.5, 4));
    expect(among(100)).toBeGreaterThan(among(30));
    expect(among(300)).toBe(score(0.5, 4, 1));
    expect(among(0)).toBe(among(30));
  });
  it('needs a larger sum if semantic similarity is included', () => {
    expect(calibrated(0.6, 4, 0.6, turnCalibration(true, 600))).toBeLessThan(score(0.6, 4));
  });
});
