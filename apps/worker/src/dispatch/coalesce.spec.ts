import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { coalesce } from './coalesce.js';

/** Work that finishes on command. */
const controlled = () => {
  const runs: { finish: () => void; fail: (error: Error) => void }[] = [];
  const run = coalesce(
    () => new Promise<void>((resolve, reject) => runs.push({ finish: () => resolve(), fail: reject })),
  );
  return { run, runs };
};
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('coalescing', () => {
  it('runs at once when nothing is running', () => {
    const { run, runs } = controlled();
    void run();
    expect(runs).toHaveLength(1);
  });

  it('shares one next run between all calls made during a run', async () => {
    const { run, runs } = controlled();
    const first = run();
    const late = [run(), run(), run()];
    runs[0]!.finish();
    await first;
    await settle();
    expect(runs).toHaveLength(2);
    runs[1]!.finish();
    await Promise.all(late);
    expect(runs).toHaveLength(2);
  });

  it('does not resolve a call with a run that began before it', async () => {
    const { run, runs } = controlled();
    const first = run();
    let done = false;
    const late = run().then(() => (done = true));
    runs[0]!.finish();
    await first;
    await settle();
    expect(done).toBe(false);
    runs[1]!.finish();
    await late;
  });

  it('runs again after a failure, which rejects only its own callers', async () => {
    const { run, runs } = controlled();
    const first = run();
    const late = run();
    runs[0]!.fail(new Error('broken'));
    await expect(first).rejects.toThrow('broken');
    await settle();
    runs[1]!.finish();
    await expect(late).resolves.toBeUndefined();
  });

  describe('with a minimum time between two starts', () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    const timed = () => {
      const startedAt = performance.now();
      const starts: number[] = [];
      const run = coalesce(async () => void starts.push(performance.now() - startedAt), 50);
      return { run, starts };
    };

    it('coalesces calls shortly after a run', async () => {
      const { run, starts } = timed();
      const all = Promise.all([run(), run(), run(), run()]);
      await vi.advanceTimersByTimeAsync(1_000);
      await all;
      expect(starts).toEqual([0, 50]);
    });

    it('waits ten times as long as the last run took, but at most ten times the minimum', async () => {
      const startedAt = performance.now();
      const starts: number[] = [];
      let lasting = 20;
      const run = coalesce(async () => {
        starts.push(performance.now() - startedAt);
        await new Promise((resolve) => setTimeout(resolve, lasting));
        lasting = 200;
      }, 50);
      const all = run().then(run).then(run);
      await vi.advanceTimersByTimeAsync(2_000);
      await all;
      expect(starts).toEqual([0, 200, 700]);
    });

    it('starts at once after a quiet period, without gathering', async () => {
      const { run, starts } = timed();
      await run();
      await vi.advanceTimersByTimeAsync(50);
      void run();
      expect(starts).toEqual([0, 50]);
    });
  });
});
