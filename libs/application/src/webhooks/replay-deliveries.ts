import { DeliveryNotFound, DeliveryPurged, WebhookEndpointDisabled } from '@turnkeeper/domain';
import type { DeliveryFilter, DeliveryStore } from '../ports/delivery-store.port.js';
import type { WebhookEndpointStore } from '../ports/webhook-endpoint-store.port.js';
import { requireEndpoint } from './require-endpoint.js';

export interface ReplayOptions {
  /** Also send again what the endpoint has acknowledged: it lost its own data, say. */
  readonly includeDelivered: boolean;
}

/**
 * Sends deliveries again that were set aside: the same id and the same bytes, with a whole schedule of attempts before
 * them. What is on its way stays as it is, so that replaying twice sends each once.
 */
export class ReplayDeliveries {
  constructor(
    private readonly deps: { readonly endpoints: WebhookEndpointStore; readonly deliveries: DeliveryStore },
  ) {}

  /** Resolves to whether it is sent again. Rejects with `DeliveryNotFound`, `DeliveryPurged`, and as `since` does. */
  async one(tenantId: string, endpointId: string, deliveryId: string, options: ReplayOptions): Promise<boolean> {
    const replayed = await this.replay(tenantId, endpointId, { deliveryId }, options);
    if (replayed > 0) return true;
    const [known] = await this.deps.deliveries.list(tenantId, endpointId, { deliveryId }, { limit: 1 });
    if (known === undefined) throw new DeliveryNotFound();
    if (known.purgedAt !== null) throw new DeliveryPurged();
    return false;
  }

  /** Resolves to how many are sent again; purged ones are left out. Rejects with `WebhookEndpointNotFound` or `WebhookEndpointDisabled`. */
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
