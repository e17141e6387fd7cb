import type { Ports } from '../ports.js';
import type { LostClaim } from './extraction-claims.port.js';

/**
 * Enqueues sessions that are due for extraction. Idempotent, because the queue deduplicates jobs; it also refills a
 * wiped queue. Claims of lost workers are released first, so that they do not count against their tenant's limit.
 */
export class AdmitExtractions {
  constructor(
    private readonly deps: Pick<Ports, 'extractionSchedule' | 'extractions' | 'queue'> & {
      /** Maximum number of a tenant's sessions queued or running at the same time. */
      readonly extractionsPerTenant: number;
      /** Attempts on a window before it is parked. */
      readonly maxAttempts: number;
      /** Called for every claim whose worker was lost. */
      readonly onLost?: (claim: LostClaim) => void;
    },
  ) {}

  /** Resolves to the number of jobs enqueued. */
  async execute(): Promise<number> {
    const { extractions, extractionSchedule, queue, extractionsPerTenant, maxAttempts, onLost } = this.deps;
    for (const lost of await extractions.settleLost(maxAttempts)) onLost?.(lost);
    const sessions = await extractionSchedule.admit(extractionsPerTenant);
    if (sessions.length > 0) {
      await queue.enqueue(sessions.map(({ sessionKey, strategyId }) => ({ name: 'extract', sessionKey, strategyId })));
    }
    return sessions.length;
  }
}
