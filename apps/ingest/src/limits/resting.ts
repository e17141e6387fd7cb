import { setTimeout as sleep } from 'node:timers/promises';

/** Maximum rest, in milliseconds. */
const MOST_MS = 200;

/**
 * Rests before the next item as long as the consumer took for the last one, so that a long import leaves half of the event
 * loop and of the disk to other requests (docs/adr/0067).
 */
export async function* resting<T>(
  items: AsyncIterable<T>,
  monotonicMs = (): number => performance.now(),
  rest: (ms: number) => Promise<unknown> = sleep,
): AsyncGenerator<T> {
  for await (const item of items) {
    const startedAt = monotonicMs();
    yield item;
    await rest(Math.min(MOST_MS, monotonicMs() - startedAt));
  }
}
