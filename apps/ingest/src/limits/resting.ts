import { pacer, type Pace } from '@turnkeeper/postgres';

/** Maximum rest, in milliseconds. */
const MAX_MS = 200;

/**
 * Pauses before the next item for as long as the consumer took for the last one, so that a long import leaves half of
 * the event loop and disk time to other requests (docs/adr/0067).
 */
export async function* resting<T>(
  items: AsyncIterable<T>,
  timing: Pick<Pace, 'monotonicMs' | 'sleep'> = {},
): AsyncGenerator<T> {
  for await (const item of items) {
    const rest = pacer({ mostMs: MAX_MS, ...timing });
    yield item;
    await rest();
  }
}
