import { describe, expect, it } from 'vitest';
import { holdsSlot, isSecretSlot } from './slots.mjs';

const records = [
  { text: 'User said: "a table for 4 on March 7th, up to $1,280"' },
  { text: 'Asked "…", User said: "n g double four"', attribute: { value: 'NG44' } },
];

describe('a slot', () => {
  it.each([['4'], ['1280'], ['2026-03-07'], ['7th of March', 'march 7th'], ['ng44'], ['a Table, for 4']])(
    'is held with one of its spellings: %s',
    (...values) => {
      expect(holdsSlot(records, { values })).toBe(true);
    },
  );

  it.each([['280'], ['128'], ['2026-03-17'], ['able'], ['']])('is not held by a part of a word: %s', (value) => {
    expect(holdsSlot(records, { values: [value] })).toBe(false);
  });

  it('is secret by its name', () => {
    expect(['ssn', 'password', 'phone'].map((slot) => isSecretSlot({ slot }))).toEqual([true, true, false]);
  });
});
