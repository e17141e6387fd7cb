import { DeliveryNotPending, WebhookEndpointDisabled, WebhookEndpointPaused } from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import type { DeliveryFilter } from './delivery-store.port.js';
import { requireDelivery, requireEndpoint } from './require-endpoint.js';

/**
 * Makes the next attempt of pending deliveries due immediately, e.g. after the endpoint was repaired. The attempt counts,
 * and if it fails, the retry schedule continues after it.
 */
export class SendDeliveriesNow {
  constructor(private readonly deps: Pick<Ports, 'endpoints' | 'deliveries'>) {}

  /**
   * Resolves to the number of deliveries that were due later. Rejects with `WebhookEndpointNotFound`, `WebhookEndpointDisabled` or
   * `WebhookEndpointPaused`, for one delivery also with `DeliveryNotFound` or `DeliveryNotPending`.
   */
  async execute(tenantId: string, endpointId: string, filter: DeliveryFilter): Promise<number> {
    const { endpoints, deliveries } = this.deps;
    const { status } = await requireEndpoint(endpoints, tenantId, endpointId);
    if (status === 'disabled') throw new WebhookEndpointDisabled();
    if (status === 'paused') throw new WebhookEndpointPaused();
    const sent = await deliveries.sendNow(tenantId, endpointId, filter);
    if (sent === 0 && filter.deliveryId !== undefined) {
      const { delivery } = await requireDelivery(deliveries, tenantId, endpointId, filter.deliveryId);
      if (delivery.status !== 'pending') throw new DeliveryNotPending();
    }
    return sent;
  }
}
