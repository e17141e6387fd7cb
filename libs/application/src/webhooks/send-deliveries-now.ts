import {
  DeliveryNotFound,
  DeliveryNotPending,
  WebhookEndpointDisabled,
  WebhookEndpointPaused,
} from '@turnkeeper/domain';
import type { DeliveryFilter, DeliveryStore } from './delivery-store.port.js';
import type { WebhookEndpointStore } from './webhook-endpoint-store.port.js';
import { requireEndpoint } from './require-endpoint.js';

/**
 * Makes the next attempt of pending deliveries due immediately, e.g. after the endpoint was repaired. The attempt counts,
 * and if it fails, the retry schedule continues after it.
 */
export class SendDeliveriesNow {
  constructor(
    private readonly deps: { readonly endpoints: WebhookEndpointStore; readonly deliveries: DeliveryStore },
  ) {}

  /**
   * Resolves to whether its attempt was brought forward; false if it was due already. Rejects with `DeliveryNotFound`,
   * `DeliveryNotPending` and the errors of `since`.
   */
  async one(tenantId: string, endpointId: string, deliveryId: string): Promise<boolean> {
    if ((await this.send(tenantId, endpointId, { deliveryId })) > 0) return true;
    const [known] = await this.deps.deliveries.list(tenantId, endpointId, { deliveryId }, { limit: 1 });
    if (known === undefined) throw new DeliveryNotFound();
    if (known.delivery.status !== 'pending') throw new DeliveryNotPending();
    return false;
  }

  /**
   * Resolves to the number of deliveries whose attempt was brought forward. Rejects with `WebhookEndpointNotFound`,
   * `WebhookEndpointDisabled` or `WebhookEndpointPaused`.
   */
  since(
    tenantId: string,
    endpointId: string,
    span: { readonly since: string; readonly until?: string | undefined },
  ): Promise<number> {
    return this.send(tenantId, endpointId, span);
  }

  private async send(tenantId: string, endpointId: string, filter: DeliveryFilter): Promise<number> {
    const { endpoints, deliveries } = this.deps;
    const { status } = await requireEndpoint(endpoints, tenantId, endpointId);
    if (status === 'disabled') throw new WebhookEndpointDisabled();
    if (status === 'paused') throw new WebhookEndpointPaused();
    return deliveries.sendNow(tenantId, endpointId, filter);
  }
}
