import { DeliveryNotFound, WebhookEndpointNotFound } from '@turnkeeper/domain';
import type { DeliveryStore, DeliveryView } from './delivery-store.port.js';
import type { WebhookEndpoint, WebhookEndpointStore } from './webhook-endpoint-store.port.js';

export const requireEndpoint = async (
  endpoints: WebhookEndpointStore,
  tenantId: string,
  endpointId: string,
): Promise<WebhookEndpoint> => {
  const endpoint = await endpoints.find(tenantId, endpointId);
  if (endpoint === null) throw new WebhookEndpointNotFound();
  return endpoint;
};

export const requireDelivery = async (
  deliveries: DeliveryStore,
  tenantId: string,
  endpointId: string,
  deliveryId: string,
): Promise<DeliveryView> => {
  const [delivery] = await deliveries.list(tenantId, endpointId, { deliveryId }, { limit: 1 });
  if (delivery === undefined) throw new DeliveryNotFound();
  return delivery;
};
