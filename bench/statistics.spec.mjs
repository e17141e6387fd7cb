import { describe, expect, it } from 'vitest';
import { median, quantile } from './statistics.mjs';

const upTo = (last) => Array.from({ length: last }, (_, index) => last - index);

describe('the median', () => {
  it('is the middle one of an odd number of values, in any order', () => {
    expect(median([10, 2, 9])).toBe(9);
    expect(median([7])).toBe(7);
  });
  it('is the mean of the two middle ones of an even number', () => {
    expect(median([4, 1, 3, 10])).toBe(3.5);
    expect(median([1, 2])).toBe(1.5);
  });
  it('is not a number without values', () => expect(median([])).toBeNaN());
});

describe('a quantile', () => {
  it.each([
    [0, 1],
    [0.5, 51],
    [0.95, 96],
    [0.99, 100],
    [1, 100],
  ])('%d of 1 to 100 is %d', (share, value) => expect(quantile(upTo(100), share)).toBe(value));
  it('of few values is the largest, never less', () => expect(quantile([5, 1, 3], 0.99)).toBe(5));
  it('leaves the values in their order', () => {
    const values = [3, 1, 2];
    quantile(values, 0.5);
    expect(values).toEqual([3, 1, 2]);
  });
  it('is not a number without values', () => expect(quantile([], 0.5)).toBeNaN());
});
