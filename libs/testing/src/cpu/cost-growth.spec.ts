import { describe, expect, it } from 'vitest';
import { expectLinearCost } from './cost-growth.js';

describe('cost measurement', () => {
  const parts = ['a', ' '];

  it('detects a backtracking pattern', () => {
    // Quadratic: every space may start a run of spaces that has no end.
    expect(() => expectLinearCost((text) => /\s+$/.test(`${text}x`), { parts: ['  '], runs: 3 })).toThrow(
      /costs \d+\.\d times/,
    );
  });

  it('accepts a linear scan', () => {
    const count = (text: string) => [...text].filter((sign) => sign === 'a').length;
    expect(() => expectLinearCost(count, { parts, runs: 5 })).not.toThrow();
  });
});
