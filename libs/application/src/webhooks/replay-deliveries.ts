import { DeliveryPurged, WebhookEndpointDisabled } from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import type { DeliveryFilter } from './delivery-store.port.js';
import { requireDelivery, requireEndpoint } from './require-endpoint.js';

export interface ReplayOptions {
  /** Also resend acknowledged deliveries, e.g. if the endpoint lost its data. */
  readonly includeDelivered: boolean;
}

/**
 * Resends parked deliveries with the same id and body and a new retry schedule. Pending deliveries are unchanged, so a
 * repeated replay sends each only once.
 */
export class ReplayDeliveries {
  constructor(private readonly deps: Pick<Ports, 'endpoints' | 'deliveries'>) {}

  /**
   * Resolves to the number of deliveries sent again. Rejects with `WebhookEndpointNotFound` or `WebhookEndpointDisabled`, for one
   * delivery also with `DeliveryNotFound` or `DeliveryPurged`; of several, purged ones are skipped.
   */
  async execute(tenantId: string, endpointId: string, filter: DeliveryFilter, options: ReplayOptions): Promise<number> {
    const { endpoints, deliveries } = this.deps;
    const { status } = await requireEndpoint(endpoints, tenantId, endpointId);
    if (status === 'disabled') throw new WebhookEndpointDisabled();
    const replayed = await deliveries.replay(tenantId, endpointId, filter, options);
    if (replayed === 0 && filter.deliveryId !== undefined) {
      const { purgedAt } = await requireDelivery(deliveries, tenantId, endpointId, filter.deliveryId);
      if (purgedAt !== null) throw new DeliveryPurged();
    }
    return replayed;
  }
}
