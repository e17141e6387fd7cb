import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { eventStream } from '../event-stream.js';
import type { JetStreamReconciler } from './jetstream-reconciler.js';
import { StreamWatch } from './stream-watch.js';

/** What docs promise of a message that was deleted by hand. */
const BACK_WITHIN_MS = 60_000;
const STEP_MS = 100;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** The watch on its default settings, beside a stream on its default settings. */
const msUntilBack = async (deletedAfterMs: number): Promise<number> => {
  const dedupWindowMs = Number(eventStream().config.duplicate_window) / 1e6;
  const publishedAtMs = performance.now();
  let backAtMs: number | null = null;
  const reconciler = {
    check: async () => {
      const nowMs = performance.now();
      const isDeleted = nowMs >= publishedAtMs + deletedAfterMs;
      // Until then the server takes what is published again for a repeat.
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

it('has a message back within a minute on default settings, whenever it is deleted', async () => {
  for (let deletedAfterMs = 0; deletedAfterMs <= 2 * BACK_WITHIN_MS; deletedAfterMs += 1_700) {
    expect(await msUntilBack(deletedAfterMs)).toBeLessThanOrEqual(BACK_WITHIN_MS);
  }
});
