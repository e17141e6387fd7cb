import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Logger } from './logger.js';
import { Ticker } from './ticker.js';

const EVERY_MS = 1_000;

describe('a ticker', () => {
  const logged = vi.fn();
  const ticker = (work: (signal: AbortSignal) => Promise<void>) =>
    new Ticker('sweep', EVERY_MS, work, { error: logged } as unknown as Logger);

  beforeEach(() => {
    vi.useFakeTimers();
    logged.mockReset();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('runs immediately and again after each pause', async () => {
    const work = vi.fn(async () => undefined);
    const sweep = ticker(work);
    sweep.start();
    await vi.advanceTimersByTimeAsync(0);
    expect(work).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(3 * EVERY_MS);
    expect(work).toHaveBeenCalledTimes(4);
    await sweep.stop();
  });

  it('never overlaps runs: the pause begins when a run ends', async () => {
    let running = 0;
    let most = 0;
    const work = vi.fn(async () => {
      most = Math.max(most, (running += 1));
      await new Promise((resolve) => setTimeout(resolve, 5 * EVERY_MS));
      running -= 1;
    });
    const sweep = ticker(work);
    sweep.start();
    await vi.advanceTimersByTimeAsync(12 * EVERY_MS);
    expect([work.mock.calls.length, most]).toEqual([3, 1]); // at 0, 6 and 12 s
    const stopped = sweep.stop();
    await vi.advanceTimersByTimeAsync(5 * EVERY_MS);
    await stopped;
  });

  it('continues after a failed run and reports it', async () => {
    const broken = new Error('no database');
    const work = vi.fn(async () => Promise.reject(broken));
    const sweep = ticker(work);
    sweep.start();
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    expect(work).toHaveBeenCalledTimes(2);
    expect(logged).toHaveBeenCalledWith({ err: broken, ticker: 'sweep' }, 'tick.failed');
    await sweep.stop();
  });

  it('aborts the run in flight on stop, without reporting a failure', async () => {
    let steps = 0;
    const sweep = ticker(async (signal) => {
      for (;;) {
        signal.throwIfAborted();
        steps += 1;
        await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
      }
    });
    sweep.start();
    await vi.advanceTimersByTimeAsync(2 * EVERY_MS);
    const stopped = sweep.stop();
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    await stopped;
    expect(steps).toBe(3);
    expect(logged).not.toHaveBeenCalled();
  });

  it('stops after the run in flight and starts no other', async () => {
    let finish = (): void => undefined;
    const work = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
    const sweep = ticker(work);
    sweep.start();
    await vi.advanceTimersByTimeAsync(0);
    let ended = false;
    const stopped = sweep.stop().then(() => (ended = true));
    await vi.advanceTimersByTimeAsync(10 * EVERY_MS);
    expect(ended).toBe(false);
    finish();
    await stopped;
    await vi.advanceTimersByTimeAsync(10 * EVERY_MS);
    expect(work).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});
