import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { eventStream } from '../event-stream.js';
import type { JetStreamReconciler } from './jetstream-reconciler.js';
import { StreamWatch } from './stream-watch.js';

/** Documented limit for restoring a message that was deleted by hand. */
const BACK_WITHIN_MS = 60_000;
const STEP_MS = 100;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Simulates the watch and a stream on default settings. */
const msUntilBack = async (deletedAfterMs: number): Promise<number> => {
  const dedupWindowMs = Number(eventStream().config.duplicate_window) / 1e6;
  const publishedAtMs = performance.now();
  let backAtMs: number | null = null;
  const reconciler = {
    check: async () => {
      const nowMs = performance.now();
      const isDeleted = nowMs >= publishedAtMs + deletedAfterMs;
      // Until then the server rejects the republished message as a duplicate.
      if (isDeleted && nowMs >= publishedAtMs + dedupWindowMs) backAtMs ??= nowMs;
      return null;
    },
  } as unknown as JetStreamReconciler;
  const watch = new StreamWatch(
    reconciler,
    () => true,
    () => 0,
    () => undefined,
  );
  watch.start();
  for (let waitedMs = 0; backAtMs === null && waitedMs < 10 * BACK_WITHIN_MS; waitedMs += STEP_MS) {
    await vi.advanceTimersByTimeAsync(STEP_MS);
  }
  await watch.stop();
  return (backAtMs ?? Infinity) - publishedAtMs - deletedAfterMs;
};

it('restores a message within a minute on default settings, whenever it is deleted', async () => {
  for (let deletedAfterMs = 0; deletedAfterMs <= 2 * BACK_WITHIN_MS; deletedAfterMs += 1_700) {
    expect(await msUntilBack(deletedAfterMs)).toBeLessThanOrEqual(BACK_WITHIN_MS);
  }
});
