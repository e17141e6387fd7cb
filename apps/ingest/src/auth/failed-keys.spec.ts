import { describe, expect, it } from 'vitest';
import { TooManyFailures } from './auth-errors.js';
import { FailedKeys } from './failed-keys.js';

const given = (perMinute: number) => {
  let now = 0;
  const keys = new FailedKeys(perMinute, () => now);
  /** How many of this many failed keys are looked up. */
  const guesses = (address: string, count: number): number => {
    let lookedUp = 0;
    for (let at = 0; at < count; at += 1) {
      try {
        keys.assertMayTry(address, `wrong ${at}`);
      } catch (error) {
        expect(error).toBeInstanceOf(TooManyFailures);
        continue;
      }
      lookedUp += 1;
      keys.noteFailure(address);
    }
    return lookedUp;
  };
  return { keys, guesses, pass: (ms: number) => void (now += ms) };
};

describe('failed keys', () => {
  it('are looked up to the limit per address, and again as time passes', () => {
    const { guesses, pass } = given(60);
    expect(guesses('a', 1_000)).toBe(60);
    pass(10_000);
    expect(guesses('a', 1_000)).toBe(10);
    expect(guesses('b', 10)).toBe(10);
    pass(600_000);
    expect(guesses('a', 1_000)).toBe(60);
  });

  it('report when the next one will be looked up', () => {
    const { keys, guesses } = given(6);
    guesses('a', 10);
    expect(() => keys.assertMayTry('a', 'x')).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ facts: { retryAfterSeconds: 10 } }) }),
    );
  });

  it('do not lock out a valid key of the same address', () => {
    const { keys, guesses, pass } = given(60);
    keys.noteSuccess('good');
    guesses('a', 100);
    expect(() => keys.assertMayTry('a', 'good')).not.toThrow();
    expect(() => keys.assertMayTry('a', 'other')).toThrow(TooManyFailures);
    pass(3_600_000);
    guesses('a', 100);
    expect(() => keys.assertMayTry('a', 'good')).toThrow(TooManyFailures);
  });

  it('are unlimited if no limit is set', () => {
    expect(given(0).guesses('a', 10_000)).toBe(10_000);
  });
});
