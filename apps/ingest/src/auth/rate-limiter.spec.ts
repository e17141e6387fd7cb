import type { Tenant } from '@turnkeeper/application';
import { describe, expect, it } from 'vitest';
import { RateLimited } from './auth-errors.js';
import { RateLimiter } from './rate-limiter.js';

const settled = () => new Promise((resolve) => setImmediate(resolve));

const given = (standard: number, own: Record<string, number | null> = {}) => {
  let now = 0;
  const limiter = new RateLimiter(
    standard,
    { find: async (tenantId) => ({ requestsPerSecond: own[tenantId] ?? null }) as Tenant },
    () => now,
  );
  const take = (tenantId: string): number => {
    try {
      limiter.take(tenantId);
      return 0;
    } catch (error) {
      if (error instanceof RateLimited) return error.retryAfterSeconds;
      throw error;
    }
  };
  /** How many of so many requests in the same moment are let in. */
  const admitted = (tenantId: string, requests: number): number =>
    Array.from({ length: requests }, () => take(tenantId)).filter((wait) => wait === 0).length;
  return { limiter, take, admitted, pass: (ms: number) => void (now += ms) };
};

describe('the rate limit of a tenant', () => {
  it('lets a burst in, then what comes in time', () => {
    const { admitted, pass } = given(10);
    expect(admitted('a', 100)).toBe(20);
    pass(1_000);
    expect(admitted('a', 100)).toBe(10);
    pass(60_000);
    expect(admitted('a', 100)).toBe(20);
  });

  it('says when to come again', () => {
    const { admitted, take } = given(1);
    admitted('a', 2);
    expect(take('a')).toBe(1);
  });

  it('is no business of other tenants', () => {
    const { admitted } = given(10);
    admitted('a', 100);
    expect(admitted('b', 5)).toBe(5);
  });

  it('is the tenant’s own where it has one, and follows a change of it', async () => {
    const own: Record<string, number | null> = { a: 2 };
    const { admitted, pass, take } = given(0, own);
    take('a');
    await settled();
    expect(admitted('a', 100)).toBe(4);
    own['a'] = 50;
    pass(5_001);
    take('a');
    await settled();
    expect(admitted('a', 1_000)).toBe(100);
  });

  it('counts what a batch is worth, and the tenant waits until it is paid', () => {
    const { limiter, admitted, take, pass } = given(10);
    expect(take('a')).toBe(0);
    limiter.charge('a', 39);
    expect(take('a')).toBe(3);
    pass(3_000);
    expect(admitted('a', 100)).toBe(10);
  });

  it('is not there where none is set', async () => {
    const { admitted } = given(0);
    expect(admitted('a', 10_000)).toBe(10_000);
    await settled();
    expect(admitted('a', 10_000)).toBe(10_000);
  });
});
