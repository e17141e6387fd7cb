import type { WebhookEndpoint } from '@turnkeeper/application';
import type { WebhookEndpointEntity } from '../entities/webhook.entity.js';

export const endpointOf = (row: WebhookEndpointEntity): WebhookEndpoint => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
});
