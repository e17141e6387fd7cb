import { expectLinearCost } from '@turnkeeper/testing';
import { describe, it, vi } from 'vitest';
import { readTurnQuery } from './query/read-query.js';
import { detectLanguage } from './text/languages.js';
import { termsOf } from './text/tokenise.js';

// Costs are ratios of CPU time: a busy machine makes them slower, and not larger.
vi.setConfig({ testTimeout: 120_000 });

describe('what search reads costs CPU in proportion to its length', () => {
  const parts = ['when ', 'in ', 'May ', '2024', '3rd ', 'of ', ' ', '-', 'a', "'s ", '?', '什么', 'ế', '.', '@', '\n'];

  it('questions', () => {
    const context = { languages: ['en', 'vi', 'zh'] as const, speakers: ['ada', 'ben may'], years: [2024, 2025] };
    expectLinearCost((text) => readTurnQuery(text, context), { parts, longest: 12_000, runs: 12 });
  });

  it('turns', () => {
    expectLinearCost((text) => [detectLanguage(text), termsOf(text, 'en'), termsOf(text, 'zh')], { parts });
  });
});
