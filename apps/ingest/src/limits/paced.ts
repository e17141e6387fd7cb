import { setTimeout as sleep } from 'node:timers/promises';
import type { RateLimiter } from './rate-limiter.js';

/** Maximum pause before the rate is checked again. */
const MAX_MS = 1_000;

/** Paces a stream's chunks to the tenant's byte rate: it waits instead of failing halfway. */
export async function* paced(
  chunks: AsyncIterable<Buffer>,
  tenantId: string,
  rate: Pick<RateLimiter, 'charge' | 'pauseMs'>,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    for (let pause = rate.pauseMs(tenantId); pause > 0; pause = rate.pauseMs(tenantId)) {
      await sleep(Math.min(MAX_MS, pause));
    }
    rate.charge(tenantId, 'bytes', chunk.length);
    yield chunk;
  }
}
