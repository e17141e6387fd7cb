import type { ExtractionStore, LostClaim } from '../ports/extraction-store.port.js';
import type { JobQueue } from '../ports/job-queue.port.js';

/**
 * Puts sessions whose extraction is due into the queue. The queue holds each job once, so doing this often is harmless;
 * it is also all that is needed after the queue was wiped. What lost workers held is taken back first, so that it does
 * not count against its tenant.
 */
export class AdmitExtractions {
  constructor(
    private readonly deps: {
      readonly extractions: ExtractionStore;
      readonly queue: JobQueue;
      /** Most sessions of one tenant that are queued or running at a time. */
      readonly extractionsPerTenant: number;
      /** Attempts on a window before it is parked. */
      readonly maxAttempts: number;
      /** Told about every claim whose worker was lost. */
      readonly onLost?: (claim: LostClaim) => void;
    },
  ) {}

  /** Resolves to the number of jobs that were queued. */
  async execute(): Promise<number> {
    const { extractions, queue, extractionsPerTenant, maxAttempts, onLost } = this.deps;
    for (const lost of await extractions.settleLost(maxAttempts)) onLost?.(lost);
    const sessions = await extractions.admit(extractionsPerTenant);
    if (sessions.length > 0) {
      await queue.enqueue(sessions.map(({ sessionKey, strategyId }) => ({ name: 'extract', sessionKey, strategyId })));
    }
    return sessions.length;
  }
}
