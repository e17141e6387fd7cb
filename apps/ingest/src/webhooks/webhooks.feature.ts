import { CreateWebhookEndpoint } from '@turnkeeper/application';
import type { Feature } from '../feature.js';
import { WEBHOOK_STORE } from '../tokens.js';
import { WebhookEndpointsController } from './webhook-endpoints.controller.js';

export const webhooksFeature: Feature = {
  controllers: [WebhookEndpointsController],
  providers: (stores, { webhookRules }) => [
    { provide: WEBHOOK_STORE, useValue: stores.webhooks },
    { provide: CreateWebhookEndpoint, useValue: new CreateWebhookEndpoint({ ...stores, rules: webhookRules }) },
  ],
};
