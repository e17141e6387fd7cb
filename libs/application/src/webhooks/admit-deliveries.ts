import type { Ports } from '../ports.js';
import type { DeliveryLimits, LostDelivery } from './delivery-store.port.js';

/** Consecutive lost workers before a delivery is parked. */
const MAX_LOST = 10;

/**
 * Enqueues due deliveries within the limits. Idempotent, because the queue deduplicates jobs; it also refills a wiped
 * queue. Deliveries of lost workers are released first, so that they do not block their endpoint's slots.
 */
export class AdmitDeliveries {
  /** Endpoints with no free slot left; more deliveries may be waiting. */
  private readonly crowded = new Set<string>();

  constructor(
    private readonly deps: Pick<Ports, 'deliveries' | 'queue'> & {
      readonly limits: DeliveryLimits;
      /** Called for every delivery whose worker was lost. */
      readonly onLost?: (delivery: LostDelivery) => void;
    },
  ) {}

  /** Resolves to the number of jobs enqueued. */
  async execute(): Promise<number> {
    const { deliveries, queue, limits, onLost } = this.deps;
    for (const lost of await deliveries.settleLost(MAX_LOST)) onLost?.(lost);
    const admitted = await deliveries.admit(limits);
    for (const { endpointId, isLastRoom } of admitted) if (isLastRoom) this.crowded.add(endpointId);
    if (admitted.length > 0) {
      await queue.enqueue(admitted.map(({ deliveryId }) => ({ name: 'deliver', deliveryId })));
    }
    return admitted.length;
  }

  /**
   * Notes that an attempt of this endpoint has ended. Returns true if others may be waiting for the slot; the caller
   * should then admit again instead of waiting for the next sweep.
   */
  madeRoom(endpointId: string): boolean {
    return this.crowded.delete(endpointId);
  }
}
