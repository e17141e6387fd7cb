import { DeliveryNotFound, DeliveryPurged, WebhookEndpointDisabled } from '@turnkeeper/domain';
import type { DeliveryFilter, DeliveryStore } from './delivery-store.port.js';
import type { WebhookEndpointStore } from './webhook-endpoint-store.port.js';
import { requireEndpoint } from './require-endpoint.js';

export interface ReplayOptions {
  /** Also resend acknowledged deliveries, e.g. if the endpoint lost its data. */
  readonly includeDelivered: boolean;
}

/**
 * Resends parked deliveries with the same id and body and a new retry schedule. Pending deliveries are unchanged, so a
 * repeated replay sends each only once.
 */
export class ReplayDeliveries {
  constructor(
    private readonly deps: { readonly endpoints: WebhookEndpointStore; readonly deliveries: DeliveryStore },
  ) {}

  /**
   * Resolves to whether it is sent again. Rejects with `DeliveryNotFound`, `DeliveryPurged` and the errors of `since`.
   */
  async one(tenantId: string, endpointId: string, deliveryId: string, options: ReplayOptions): Promise<boolean> {
    const replayed = await this.replay(tenantId, endpointId, { deliveryId }, options);
    if (replayed > 0) return true;
    const [known] = await this.deps.deliveries.list(tenantId, endpointId, { deliveryId }, { limit: 1 });
    if (known === undefined) throw new DeliveryNotFound();
    if (known.purgedAt !== null) throw new DeliveryPurged();
    return false;
  }

  /**
   * Resolves to the number of deliveries sent again; purged ones are skipped. Rejects with `WebhookEndpointNotFound` or
   * `WebhookEndpointDisabled`.
   */
  since(
    tenantId: string,
    endpointId: string,
    span: { readonly since: string; readonly until?: string | undefined },
    options: ReplayOptions,
  ): Promise<number> {
    return this.replay(tenantId, endpointId, span, options);
  }

  private async replay(tenantId: string, endpointId: string, filter: DeliveryFilter, options: ReplayOptions) {
    const { endpoints, deliveries } = this.deps;
    const { status } = await requireEndpoint(endpoints, tenantId, endpointId);
    if (status === 'disabled') throw new WebhookEndpointDisabled();
    return deliveries.replay(tenantId, endpointId, filter, options);
  }
}
