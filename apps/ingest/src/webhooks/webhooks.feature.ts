import {
  ChangeWebhookEndpoint,
  CreateWebhookEndpoint,
  ReadLinkedHistory,
  ReplayDeliveries,
  TestWebhookEndpoint,
} from '@turnkeeper/application';
import type { Feature } from '../feature.js';
import { CLOCK, DELIVERY_STORE, WEBHOOK_ENDPOINT_STORE } from '../tokens.js';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';
import { WebhookEndpointsController } from './webhook-endpoints.controller.js';

export const webhooksFeature: Feature = {
  controllers: [WebhookEndpointsController, WebhookDeliveriesController],
  providers: (stores, { webhookRules: rules, webhookTransport: transport, historyLinks }, limits) => [
    { provide: CLOCK, useValue: stores.clock },
    { provide: WEBHOOK_ENDPOINT_STORE, useValue: stores.endpoints },
    { provide: DELIVERY_STORE, useValue: stores.deliveries },
    {
      provide: CreateWebhookEndpoint,
      useValue: new CreateWebhookEndpoint({ ...stores, rules, mostEndpoints: limits.mostOf('webhookEndpoints') }),
    },
    { provide: ChangeWebhookEndpoint, useValue: new ChangeWebhookEndpoint({ ...stores, rules }) },
    { provide: TestWebhookEndpoint, useValue: new TestWebhookEndpoint({ ...stores, transport }) },
    { provide: ReplayDeliveries, useValue: new ReplayDeliveries(stores) },
    { provide: ReadLinkedHistory, useValue: new ReadLinkedHistory({ ...stores, historyLinks }) },
  ],
};
