import type { DeliveryLimits, DeliveryStore } from '../ports/delivery-store.port.js';
import type { JobQueue } from '../ports/job-queue.port.js';

/**
 * Puts due deliveries into the queue, as many as there is room for. The queue holds each job once, so doing this often
 * is harmless; it is also all that is needed after the queue was wiped.
 */
export class AdmitDeliveries {
  constructor(
    private readonly deps: {
      readonly deliveries: DeliveryStore;
      readonly queue: JobQueue;
      readonly limits: DeliveryLimits;
    },
  ) {}

  /** Resolves to the number of jobs that were queued. */
  async execute(): Promise<number> {
    const { deliveries, queue, limits } = this.deps;
    const admitted = await deliveries.admit(limits);
    if (admitted.length > 0) await queue.enqueue(admitted.map((deliveryId) => ({ name: 'deliver', deliveryId })));
    return admitted.length;
  }
}
