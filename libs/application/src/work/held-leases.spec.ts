import { describe, expect, it } from 'vitest';
import { HeldLeases } from './held-leases.js';

const LEASE_SECONDS = 3;

class Lost extends Error {}

/** Leases on a manual clock. */
const setUp = (renew: (claims: readonly object[]) => Promise<readonly object[]> = async (claims) => claims) => {
  let nowMs = 0;
  let beat: (() => void) | null = null;
  const leases = new HeldLeases<object>({
    leaseSeconds: LEASE_SECONDS,
    renew,
    lost: () => new Lost(),
    every: (ms, work) => {
      expect(ms).toBe(1_000);
      beat = work;
      return () => (beat = null);
    },
    monotonicMs: () => nowMs,
  });
  const pass = async (seconds: number) => {
    for (let passed = 0; passed < seconds; passed += 1) {
      nowMs += 1_000;
      beat?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { leases, pass, isBeating: () => beat !== null };
};

/** Work that runs until `finish` is called or its signal aborts. */
const work = () => {
  let finish: () => void = () => undefined;
  const run = (signal: AbortSignal) =>
    new Promise<string>((resolve, reject) => {
      finish = () => resolve('done');
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  return { run, finish: () => finish() };
};

const never = new AbortController().signal;

describe('HeldLeases', () => {
  it('renews all leases in one call, only while their work runs', async () => {
    const renewed: (readonly object[])[] = [];
    const { leases, pass, isBeating } = setUp(async (claims) => (renewed.push(claims), claims));
    const [one, other] = [work(), work()];
    const [claim, second] = [{}, {}];
    const results = [leases.hold(claim, never, one.run), leases.hold(second, never, other.run)];
    await pass(100);
    expect(renewed).toHaveLength(100);
    expect(renewed[99]).toEqual([claim, second]);
    one.finish();
    await results[0];
    await pass(1);
    expect(renewed[100]).toEqual([second]);
    other.finish();
    expect(await Promise.all(results)).toEqual(['done', 'done']);
    expect(isBeating()).toBe(false);
  });

  it('aborts only the work whose lease was taken over by another process', async () => {
    const mine = {};
    const { leases, pass } = setUp(async () => [mine]);
    const kept = work();
    const result = leases.hold(mine, never, kept.run);
    const lost = leases.hold({}, never, work().run);
    lost.catch(() => undefined);
    await pass(1);
    await expect(lost).rejects.toBeInstanceOf(Lost);
    kept.finish();
    expect(await result).toBe('done');
  });

  it.each([
    ['fails', () => Promise.reject(new Error('away'))],
    ['hangs', () => new Promise<never>(() => undefined)],
  ])('aborts the work when the lease expires because its renewal %s', async (_, renew) => {
    const { leases, pass } = setUp(renew);
    let isOver = false;
    const result = leases.hold({}, never, work().run).catch((error: unknown) => ((isOver = true), error));
    await pass(LEASE_SECONDS);
    expect(isOver).toBe(false);
    await pass(1);
    expect(await result).toBeInstanceOf(Lost);
  });

  it('survives a single failed renewal', async () => {
    let calls = 0;
    const { leases, pass } = setUp(async (claims) => {
      calls += 1;
      if (calls % 2 === 1) throw new Error('away for a moment');
      return claims;
    });
    const one = work();
    const result = leases.hold({}, never, one.run);
    await pass(20);
    one.finish();
    expect(await result).toBe('done');
  });

  it("propagates the caller's abort", async () => {
    const { leases } = setUp();
    const shutdown = new AbortController();
    const result = leases.hold({}, shutdown.signal, work().run);
    shutdown.abort(new Error('shutdown'));
    await expect(result).rejects.toThrow('shutdown');
  });
});
