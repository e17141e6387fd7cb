import { describe, expect, it } from 'vitest';
import { tokenCounter } from './token-counter.js';

describe('the token counter', () => {
  it('counts like o200k', () => {
    expect(tokenCounter.count('')).toBe(0);
    expect(tokenCounter.count('Hello, world!')).toBe(4);
  });
  it('treats chat-template markers as text, and accepts any text', () => {
    expect(tokenCounter.count('<|endoftext|>')).toBeGreaterThan(1);
    expect(tokenCounter.count('half \ud83d')).toBeGreaterThan(1);
  });
  it('estimates very long text', () => {
    expect(tokenCounter.count('word '.repeat(100_000))).toBeGreaterThan(90_000);
  });
});
