import type { BudgetWant, RateBudgets } from '@turnkeeper/application';
import type { TenantLimits } from '@turnkeeper/domain';
import { InMemoryRateBudgets } from '@turnkeeper/testing';
import { describe, expect, it } from 'vitest';
import { RateLimited } from '../auth/auth-errors.js';
import { KnownLimits } from './known-limits.js';
import { RateLimiter } from './rate-limiter.js';

const settled = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

const NONE: TenantLimits = {
  requestsPerSecond: null,
  bytesPerSecond: null,
  requestsInFlight: null,
  memories: null,
  keys: null,
  webhookEndpoints: null,
  connectors: null,
  vendorAgents: null,
  instanceMappings: null,
  dueWork: null,
};

interface Given {
  readonly requests?: number;
  readonly bytes?: number;
  readonly own?: Record<string, number | null>;
  readonly processes?: number;
}

/** Processes that share a store and a clock. */
const given = ({ requests, bytes, own = {}, processes = 1 }: Given) => {
  let now = 0;
  /** The store: up, down or not answering. */
  const store = { state: 'there' as 'there' | 'gone' | 'silent', leases: 0, wants: 0 };
  const memory = new InMemoryRateBudgets(() => now);
  const budgets: RateBudgets = {
    left: (...args) => memory.left(...args),
    lease: async (holder: string, wants: readonly BudgetWant[]) => {
      store.leases += 1;
      store.wants += wants.length;
      if (store.state === 'gone') throw new Error('gone');
      if (store.state === 'silent') await new Promise(() => undefined);
      return memory.lease(holder, wants);
    },
  };
  const standard = { ...NONE, requestsPerSecond: requests ?? null, bytesPerSecond: bytes ?? null };
  const tenants = {
    find: async (tenantId: string) => ({
      tenantId,
      name: 'a',
      createdAt: '',
      limits: {},
      requestsPerSecond: own[tenantId] ?? null,
    }),
  };
  const limiters = Array.from({ length: processes }, (_, n) => {
    const known = new KnownLimits(standard, tenants, () => now);
    return new RateLimiter(
      known,
      budgets,
      `process-${n}`,
      () => undefined,
      () => now,
    );
  });
  const limiter = limiters[0]!;
  const take = (tenantId: string, size = 0, by: RateLimiter = limiter): number => {
    try {
      by.take(tenantId, size);
      return 0;
    } catch (error) {
      if (error instanceof RateLimited) return error.retryAfterSeconds;
      throw error;
    }
  };
  /** How many of this many requests are admitted while the clock stands still and the store answers. */
  const admitted = async (tenantId: string, count: number, by: RateLimiter = limiter): Promise<number> => {
    let letIn = 0;
    for (let n = 0; n < count; n += 1) {
      if (take(tenantId, 0, by) === 0) letIn += 1;
      await settled();
    }
    return letIn;
  };
  return { limiter, limiters, store, take, admitted, pass: (ms: number) => void (now += ms) };
};

describe('the rate limit of a tenant', () => {
  it('admits a burst, then the steady rate', async () => {
    const { admitted, pass } = given({ requests: 10 });
    expect(await admitted('a', 100)).toBe(20);
    pass(1_000);
    expect(await admitted('a', 100)).toBe(10);
    pass(60_000);
    expect(await admitted('a', 100)).toBe(20);
  });

  it('reports when to retry', async () => {
    const { admitted, take } = given({ requests: 1 });
    await admitted('a', 2);
    expect(take('a')).toBe(1);
  });

  it('does not affect other tenants', async () => {
    const { admitted } = given({ requests: 10 });
    await admitted('a', 100);
    expect(await admitted('b', 5)).toBe(5);
  });

  it('can be overridden per tenant, and follows changes', async () => {
    const own: Record<string, number | null> = { a: 2 };
    const { admitted, pass, take } = given({ own });
    take('a');
    await settled();
    expect(await admitted('a', 100)).toBe(4);
    own['a'] = 50;
    pass(5_001);
    take('a');
    await settled();
    pass(60_000);
    expect(await admitted('a', 1_000)).toBe(100);
  });

  it('charges the cost of a batch; the tenant waits until it is paid', async () => {
    const { limiter, admitted, take, pass } = given({ requests: 10 });
    expect(take('a')).toBe(0);
    limiter.charge('a', 'requests', 39);
    await settled();
    expect(take('a')).toBe(3);
    pass(2_100);
    expect(await admitted('a', 100)).toBe(1);
  });

  it('is off if none is set, and then never asks the store', async () => {
    const { admitted, limiter, store } = given({});
    expect(await admitted('a', 1_000)).toBe(1_000);
    expect([store.leases, limiter.headersOf('a')]).toEqual([0, null]);
  });

  it('counts body bytes as well as requests', async () => {
    const { take, pass } = given({ requests: 1_000, bytes: 1_000 });
    expect(take('a', 5_000)).toBe(0);
    await settled();
    // 3,000 bytes over the burst of 2,000, at 1,000 a second.
    expect(take('a', 1)).toBe(4);
    expect(take('a')).toBe(0);
    pass(3_100);
    await settled();
    expect(take('a', 1)).toBe(0);
  });

  it('is in the headers of every response', async () => {
    const { admitted, limiter } = given({ requests: 10, bytes: 1_000 });
    await admitted('a', 5);
    expect(limiter.headersOf('a')).toEqual({
      policy: '"requests";q=20;w=2, "bytes";q=2000;w=2;qu="content-bytes"',
      limit: '"requests";r=15;t=1, "bytes";r=2000;t=0',
    });
  });
});

describe('the rate limit over several processes', () => {
  it('is one budget, however requests are distributed', async () => {
    const { limiters, admitted, pass } = given({ requests: 100, processes: 4 });
    let letIn = 0;
    for (let second = 0; second < 5; second += 1) {
      for (const limiter of limiters) letIn += await admitted('a', 200, limiter);
      pass(1_000);
    }
    // A burst of two seconds plus four seconds; four separate budgets would be 2,400.
    expect(letIn).toBeGreaterThan(550);
    expect(letIn).toBeLessThanOrEqual(620);
  });

  it('goes entirely to the process that gets the requests', async () => {
    const { limiters, admitted, pass } = given({ requests: 100, processes: 4 });
    for (const limiter of limiters) await admitted('a', 1, limiter);
    pass(10_000);
    expect(await admitted('a', 500, limiters[2])).toBeGreaterThan(150);
  });

  it('admits at most one second ahead of the store, repaid later', async () => {
    const { limiters, take, pass } = given({ requests: 10, processes: 2 });
    const rush = () =>
      limiters.reduce(
        (sum, by) => sum + Array.from({ length: 50 }, () => take('a', 0, by)).filter((w) => w === 0).length,
        0,
      );
    // Neither has an answer from the store yet.
    expect(rush()).toBe(20);
    await settled();
    // A whole budget is spent, plus at most what was known to be left of it.
    expect(rush()).toBeLessThanOrEqual(10);
    let letIn = 0;
    for (let second = 0; second < 20; second += 1) {
      pass(1_000);
      letIn += rush();
      await settled();
    }
    expect(letIn).toBeGreaterThan(150);
    expect(letIn).toBeLessThanOrEqual(220);
  });

  it('costs one statement for many requests and many tenants', async () => {
    const { take, store } = given({ requests: 1_000 });
    for (let n = 0; n < 500; n += 1) for (const tenant of ['a', 'b', 'c']) take(tenant);
    await settled();
    expect([store.leases, store.wants]).toEqual([1, 3]);
  });

  it.each(['gone', 'silent'] as const)('continues with each process’s part while the store is %s', async (state) => {
    const { limiters, admitted, pass, store } = given({ requests: 100, processes: 2 });
    for (const limiter of limiters) await admitted('a', 200, limiter);
    store.state = state;
    pass(5_000);
    let letIn = 0;
    for (let step = 0; step < 40; step += 1) {
      for (const limiter of limiters) letIn += await admitted('a', 30, limiter);
      pass(250);
    }
    // Ten seconds at 100 a second, plus at most a burst and the spend-ahead.
    expect(letIn).toBeGreaterThan(800);
    expect(letIn).toBeLessThanOrEqual(1_500);
    expect(store.leases).toBeLessThan(60);
  });

  it('is whole again when the store is back', async () => {
    const { admitted, pass, store } = given({ requests: 10 });
    store.state = 'gone';
    await admitted('a', 50);
    store.state = 'there';
    pass(30_000);
    await admitted('a', 1);
    // What the process refilled locally, plus what the store holds.
    expect(await admitted('a', 100)).toBeLessThanOrEqual(40);
    pass(1_000);
    expect(await admitted('a', 100)).toBeLessThanOrEqual(11);
  });
});
