import { WebhookEndpointNotFound } from '@turnkeeper/domain';
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
