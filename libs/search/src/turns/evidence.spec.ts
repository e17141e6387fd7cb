import { describe, expect, it } from 'vitest';
import { rarityOf, USUAL_RARITY } from '../text/word-rarity.js';
import { calibrated, turnCalibration } from './calibrate.js';
import { evidenceWeight } from './evidence.js';
import type { TermPostings } from './lexical.js';
import { RECIPE } from './recipe.js';

describe('the rarity of a word', () => {
  it('is higher for names of things than for words of every conversation', () => {
    expect(rarityOf('go', 'en')).toBeLessThan(rarityOf('trip', 'en'));
    expect(rarityOf('trip', 'en')).toBeLessThan(rarityOf('yoga', 'en'));
    expect(rarityOf('yoga', 'en')).toBeLessThan(rarityOf('qwertyzxcv', 'en'));
  });
  it('is the same for all words of a language without a list', () => {
    expect(rarityOf('go', 'vi')).toBe(USUAL_RARITY);
  });
});

describe('the weight of the best turn', () => {
  const at = (term: string, place: number, session = 1): TermPostings => ({
    term,
    turns: 1,
    sessions: 1,
    postings: [{ session, places: [place], counts: [1], words: [5], total: 1, sessionWords: 5 }],
  });
  const rarities = new Map(['go', 'time', 'yoga'].map((word) => [word, rarityOf(word, 'en')]));
  const query = { rarities, speaker: { name: 'ada' } };
  const weight = (terms: TermPostings[], turns = 600, raw = 0.1, asked: Parameters<typeof evidenceWeight>[0] = query) =>
    evidenceWeight(asked, terms, { turns, sessions: 1, words: 10 * turns }, { session: 1, place: 10, raw }, 4);

  it('depends on the rarest word near the turn', () => {
    expect(weight([at('go', 10), at('time', 10)])).toBeLessThan(weight([at('go', 10), at('yoga', 10)]));
    expect(weight([at('go', 10), at('yoga', 14)])).toBe(weight([at('go', 10), at('yoga', 10)]));
    expect(weight([at('go', 10), at('yoga', 15)])).toBeLessThan(weight([at('go', 10), at('yoga', 14)]));
    expect(weight([at('go', 10), at('yoga', 10, 2)])).toBeLessThan(weight([at('go', 10), at('yoga', 10)]));
  });
  it('increases with the words of the question, also with those that occur nowhere', () => {
    const nowhere = { term: 'time', turns: 0, sessions: 0, postings: [] };
    expect(weight([at('yoga', 10)])).toBeLessThan(weight([at('yoga', 10), nowhere]));
  });
  it('decreases with the number of turns, within limits', () => {
    expect(weight([at('go', 10)], 2_000)).toBeLessThan(weight([at('go', 10)], 600));
    expect(weight([at('go', 10)], 1_000_000)).toBe(weight([at('go', 10)], 3_000));
    expect(weight([at('go', 10)], 300)).toBeLessThan(weight([at('go', 10)], 40));
    expect(weight([at('go', 10)], 1)).toBe(weight([at('go', 10)], 30));
  });
  it('depends more on the rarity of the words among few turns, and less on their number', () => {
    const rare = (turns: number) => weight([at('yoga', 10)], turns) / weight([at('go', 10)], turns);
    const many = (turns: number) => weight([at('yoga', 10), at('go', 10)], turns) / weight([at('yoga', 10)], turns);
    expect(rare(30)).toBeGreaterThan(rare(100));
    expect(rare(100)).toBeGreaterThan(rare(600));
    expect(many(30)).toBeLessThan(many(100));
    expect(many(100)).toBeLessThan(many(600));
    expect(rare(3_000)).toBeCloseTo(rare(600));
  });
  it('makes up for the factor that no turn gets if the question names no speaker', () => {
    const unnamed = weight([at('yoga', 10), at('go', 10)], 600, 0.1, { ...query, speaker: null });
    expect(unnamed).toBeGreaterThan(weight([at('yoga', 10), at('go', 10)]));
    expect(unnamed).toBeLessThanOrEqual(RECIPE.speaker * weight([at('yoga', 10), at('go', 10)]));
  });
  it('gives a question of one word a score of at most 0.8', () => {
    const score = (terms: TermPostings[]) => calibrated(3, weight(terms, 30, 3), 3, turnCalibration(false, 30));
    expect(score([at('yoga', 10)])).toBeCloseTo(0.8, 1);
    expect(score([at('yoga', 10), at('time', 10)])).toBeGreaterThan(0.95);
  });
  it('is 0 if nothing was found', () => {
    expect(evidenceWeight(query, [], { turns: 0, sessions: 0, words: 0 }, undefined, 4)).toBe(0);
  });
});
