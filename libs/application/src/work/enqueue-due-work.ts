import type { ExtractionStore } from '../ports/extraction-store.port.js';
import type { Job, JobQueue } from '../ports/job-queue.port.js';
import type { WebhookStore } from '../ports/webhook-store.port.js';

/**
 * Puts what is due in Postgres into the queue. The queue holds each job once, so doing this often is harmless; it is
 * also all that is needed after the queue was wiped.
 */
export class EnqueueDueWork {
  constructor(
    private readonly deps: {
      readonly extractions: ExtractionStore;
      readonly webhooks: WebhookStore;
      readonly queue: JobQueue;
      /** Most sessions of one tenant that are queued or running at a time. */
      readonly extractionsPerTenant: number;
      /** Most deliveries in one go. */
      readonly deliveries: number;
    },
  ) {}

  /** Resolves to the number of jobs that were queued. */
  async execute(): Promise<number> {
    const { extractions, webhooks, queue } = this.deps;
    const [sessions, deliveries] = await Promise.all([
      extractions.admit(this.deps.extractionsPerTenant),
      webhooks.due(this.deps.deliveries),
    ]);
    const jobs: Job[] = [
      ...sessions.map(({ sessionKey, strategyId }) => ({ name: 'extract', sessionKey, strategyId }) as const),
      ...deliveries.map((deliveryId) => ({ name: 'deliver', deliveryId }) as const),
    ];
    if (jobs.length > 0) await queue.enqueue(jobs);
    return jobs.length;
  }
}
