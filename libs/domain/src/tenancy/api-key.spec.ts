import { describe, expect, it } from 'vitest';
import { defaultKeyDays, endOfOverlap, isKeyLive } from './api-key.js';

const now = new Date('2026-01-01T12:00:00.000Z');
const key = (life: { expiresAt?: string; revokedAt?: string } = {}) => ({ expiresAt: null, revokedAt: null, ...life });

describe('a key', () => {
  it('is valid until, but not at, the moment when it expires or is revoked', () => {
    expect(isKeyLive(key(), now)).toBe(true);
    expect(isKeyLive(key({ expiresAt: '2026-01-01T12:00:00.001Z' }), now)).toBe(true);
    expect(isKeyLive(key({ expiresAt: '2026-01-01T12:00:00.000Z' }), now)).toBe(false);
    expect(isKeyLive(key({ revokedAt: '2026-01-02T00:00:00.000Z' }), now)).toBe(false);
  });

  it('expires by default if it is for administration; others do not', () => {
    expect([defaultKeyDays(['memory:read', 'admin']), defaultKeyDays(['memory:read'])]).toEqual([90, null]);
  });

  it('ends after the overlap if it is replaced, but never later than before', () => {
    expect(endOfOverlap(key(), now, 24)).toBe('2026-01-02T12:00:00.000Z');
    expect(endOfOverlap(key(), now, 0)).toBe('2026-01-01T12:00:00.000Z');
    expect(endOfOverlap(key({ expiresAt: '2026-01-01T13:00:00.000Z' }), now, 24)).toBe('2026-01-01T13:00:00.000Z');
  });
});
