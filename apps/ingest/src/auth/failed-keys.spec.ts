import { describe, expect, it } from 'vitest';
import { FailedKeys } from './failed-keys.js';

const given = (perMinute: number) => {
  let now = 0;
  const keys = new FailedKeys(perMinute, () => now);
  /** How many of this many failed keys had a try. */
  const guesses = (address: string, count: number): number =>
    Array.from({ length: count }, () => keys.take(address)).filter((seconds) => seconds === 0).length;
  return { keys, guesses, pass: (ms: number) => void (now += ms) };
};

describe('failed keys', () => {
  it('have a limit per address, and tries again as time passes', () => {
    const { guesses, pass } = given(60);
    expect(guesses('a', 1_000)).toBe(60);
    pass(10_000);
    expect(guesses('a', 1_000)).toBe(10);
    expect(guesses('b', 10)).toBe(10);
    pass(600_000);
    expect(guesses('a', 1_000)).toBe(60);
  });

  it('report when the next one has a try', () => {
    const { keys, guesses } = given(6);
    guesses('a', 10);
    expect(keys.take('a')).toBe(10);
  });

  it('do not include those that succeed', () => {
    const { keys, guesses } = given(60);
    for (let count = 0; count < 1_000; count += 1) {
      expect(keys.take('a')).toBe(0);
      keys.giveBack('a');
    }
    expect(guesses('a', 100)).toBe(60);
  });

  it('are unlimited if no limit is set', () => {
    expect(given(0).guesses('a', 10_000)).toBe(10_000);
  });
});
