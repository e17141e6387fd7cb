import { expectLinearCost } from '@turnkeeper/testing';
import { describe, it, vi } from 'vitest';
import { asksOfPast, readTurnQuery } from './query/read-query.js';
import { detectLanguage } from './text/languages.js';
import { termsOf } from './text/tokenise.js';

// Compares CPU times as ratios, so a busy machine slows the test without changing the result.
vi.setConfig({ testTimeout: 120_000 });

describe("search's CPU cost is linear in the input length", () => {
  const parts = ['when ', 'in ', 'May ', '2024', '3rd ', 'of ', ' ', '-', 'a', "'s ", '?', '什么', 'ế', '.', '@', '\n'];

  it('for questions', () => {
    const context = { languages: ['en', 'vi', 'zh'] as const, speakers: ['ada', 'ben may'], years: [2024, 2025] };
    expectLinearCost((text) => [asksOfPast(text), readTurnQuery(text, context)], { parts, longest: 12_000, runs: 12 });
  });

  it('for turns', () => {
    expectLinearCost((text) => [detectLanguage(text), termsOf(text, 'en'), termsOf(text, 'zh')], { parts });
  });
});
