import { describe, expect, it } from 'vitest';
import { validEventTime } from './event-time.js';

describe('an event time', () => {
  it.each([
    [{ from: '2026-03-02', to: '2026-03-08' }],
    [{ from: '2024-02-29', to: null }],
    [{ from: null, to: '2026-12-31' }],
  ])('accepts %j', (time) => {
    expect(validEventTime(time)).toEqual(time);
  });

  it.each([
    [null],
    [{ from: null, to: null }],
    [{ from: '2026-02-30', to: null }],
    [{ from: '2026-3-2', to: null }],
    [{ from: 'yesterday', to: null }],
    [{ from: '2026-03-08', to: '2026-03-02' }],
  ])('rejects %j', (time) => {
    expect(validEventTime(time)).toBeNull();
  });
});
