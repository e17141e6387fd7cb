import { describe, expect, it } from 'vitest';
import { tokenCounter } from './token-counter.js';

describe('the token counter', () => {
  it('counts as o200k does', () => {
    expect(tokenCounter.count('')).toBe(0);
    expect(tokenCounter.count('Hello, world!')).toBe(4);
  });
  it('takes marks of chat templates for text, and any text', () => {
    expect(tokenCounter.count('<|endoftext|>')).toBeGreaterThan(1);
    expect(tokenCounter.count('half \ud83d')).toBeGreaterThan(1);
  });
  it('estimates what is very long', () => {
    expect(tokenCounter.count('word '.repeat(100_000))).toBeGreaterThan(90_000);
  });
});
