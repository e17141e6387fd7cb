import { describe, expect, it } from 'vitest';
import { retryAfterMs } from './retry-after.js';

const NOW = Date.parse('2026-11-20T12:00:00Z');

describe('retryAfterMs', () => {
  it.each([
    ['0', 0],
    ['120', 120_000],
    [' 3 ', 3_000],
    ['999999999', 3_600_000],
    ['Fri, 20 Nov 2026 12:00:30 GMT', 30_000],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
    ['Fri, 20 Nov 2099 11:00:00 GMT', 3_600_000],
    ['-5', null],
    ['1.5', null],
    ['5e3', null],
    ['soon', null],
    ['', null],
    [null, null],
  ])('reads %j as %j ms', (header, expected) => {
    expect(retryAfterMs(header, NOW)).toBe(expected);
  });
});
