import type { DeliveryLimits, DeliveryStore, LostDelivery } from '../ports/delivery-store.port.js';
import type { JobQueue } from '../ports/job-queue.port.js';

/** Workers that may be lost with a delivery in a row before it is parked. */
const MOST_LOST = 10;

/**
 * Puts due deliveries into the queue, as many as there is room for. The queue holds each job once, so doing this often
 * is harmless; it is also all that is needed after the queue was wiped. What lost workers held is taken back first, so
 * that it does not take its endpoint's room.
 */
export class AdmitDeliveries {
  /** Endpoints whose room was taken to the last: more may wait for it. */
  private readonly crowded = new Set<string>();

  constructor(
    private readonly deps: {
      readonly deliveries: DeliveryStore;
      readonly queue: JobQueue;
      readonly limits: DeliveryLimits;
      /** Told about every delivery whose worker was lost. */
      readonly onLost?: (delivery: LostDelivery) => void;
    },
  ) {}

  /** Resolves to the number of jobs that were queued. */
  async execute(): Promise<number> {
    const { deliveries, queue, limits, onLost } = this.deps;
    for (const lost of await deliveries.settleLost(MOST_LOST)) onLost?.(lost);
    const admitted = await deliveries.admit(limits);
    for (const { endpointId, isLastRoom } of admitted) if (isLastRoom) this.crowded.add(endpointId);
    if (admitted.length > 0) {
      await queue.enqueue(admitted.map(({ deliveryId }) => ({ name: 'deliver', deliveryId })));
    }
    return admitted.length;
  }

  /**
   * Notes that an attempt of this endpoint has ended. True when others may have waited for its room: then it is time to
   * admit again, without which they would wait for the next sweep.
   */
  madeRoom(endpointId: string): boolean {
    return this.crowded.delete(endpointId);
  }
}
