import { setTimeout as sleep } from 'node:timers/promises';
import type { RateLimiter } from './rate-limiter.js';

/** Longest pause at a time; then the rate is looked at again. */
const MOST_MS = 1_000;

/** A stream's chunks at the tenant's rate of bytes: it waits for room instead of being refused halfway. */
export async function* paced(
  chunks: AsyncIterable<Buffer>,
  tenantId: string,
  rate: Pick<RateLimiter, 'charge' | 'pauseMs'>,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    for (let pause = rate.pauseMs(tenantId); pause > 0; pause = rate.pauseMs(tenantId)) {
      await sleep(Math.min(MOST_MS, pause));
    }
    rate.charge(tenantId, 'bytes', chunk.length);
    yield chunk;
  }
}
