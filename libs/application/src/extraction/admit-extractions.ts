import type { ExtractionStore } from '../ports/extraction-store.port.js';
import type { JobQueue } from '../ports/job-queue.port.js';

/**
 * Puts sessions whose extraction is due into the queue. The queue holds each job once, so doing this often is harmless;
 * it is also all that is needed after the queue was wiped.
 */
export class AdmitExtractions {
  constructor(
    private readonly deps: {
      readonly extractions: ExtractionStore;
      readonly queue: JobQueue;
      /** Most sessions of one tenant that are queued or running at a time. */
      readonly extractionsPerTenant: number;
    },
  ) {}

  /** Resolves to the number of jobs that were queued. */
  async execute(): Promise<number> {
    const { extractions, queue, extractionsPerTenant } = this.deps;
    const sessions = await extractions.admit(extractionsPerTenant);
    if (sessions.length > 0) {
      await queue.enqueue(sessions.map(({ sessionKey, strategyId }) => ({ name: 'extract', sessionKey, strategyId })));
    }
    return sessions.length;
  }
}
