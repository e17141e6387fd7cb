import { describe, expect, it } from 'vitest';
import { overlapInHours, overlapInSeconds } from './overlap.js';

describe('the hours for which an earlier key or secret stays valid', () => {
  it('are sent as typed', () => {
    expect(overlapInHours('1.5')).toEqual({ overlapHours: 1.5 });
    expect(overlapInSeconds('1.5')).toEqual({ overlapSeconds: 5_400 });
    expect(overlapInHours('0')).toEqual({ overlapHours: 0 });
    expect(overlapInSeconds('0')).toEqual({ overlapSeconds: 0 });
  });

  it('are left to the API if the field was emptied', () => {
    expect(overlapInHours('')).toEqual({});
    expect(overlapInSeconds(' ')).toEqual({});
    expect(overlapInSeconds(undefined)).toEqual({});
  });
});
