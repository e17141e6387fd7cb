import { describe, expect, it } from 'vitest';
import { vendorTime } from './vendor-time.js';

describe("a vendor's time of a call", () => {
  const now = new Date('2026-01-01T00:00:00.000Z');

  it('is accepted in seconds and in milliseconds', () => {
    expect(vendorTime(1_751_000_000, now)).toBe('2025-06-27T04:53:20.000Z');
    expect(vendorTime(1_751_000_000_123, now)).toBe('2025-06-27T04:53:20.123Z');
  });

  it.each([undefined, null, '1751000000', 0, -5, Number.NaN, Number.POSITIVE_INFINITY, 1e300, 1_800_000_000])(
    'is ignored if it cannot be one: %s',
    (stamp) => expect(vendorTime(stamp, now)).toBeUndefined(),
  );
});
