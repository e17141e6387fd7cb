import { describe, expect, it } from 'vitest';
import { expectLinearCost } from './cost-growth.js';

describe('the measure of cost', () => {
  const parts = ['a', ' '];

  it('finds a pattern that backtracks', () => {
    // Quadratic: every space may begin the run of spaces that no end follows.
    expect(() => expectLinearCost((text) => /\s+$/.test(`${text}x`), { parts: ['  '], runs: 3 })).toThrow(
      /costs \d+\.\d times/,
    );
  });

  it('lets a linear scan pass', () => {
    const count = (text: string) => [...text].filter((sign) => sign === 'a').length;
    expect(() => expectLinearCost(count, { parts, runs: 5 })).not.toThrow();
  });
});
