import { Module } from '@nestjs/common';
import {
  ChangeWebhookEndpoint,
  CreateWebhookEndpoint,
  ReadLinkedHistory,
  ReplayDeliveries,
  SendDeliveriesNow,
  TestWebhookEndpoint,
} from '@turnkeeper/application';
import { KnownLimits } from '../limits/known-limits.js';
import { LimitsModule } from '../limits/limits.module.js';
import type { IngestResources } from '../resources.js';
import type { Stores } from '@turnkeeper/runtime';
import { RESOURCES, STORES, useCases } from '@turnkeeper/runtime/nest';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';
import { WebhookEndpointsController } from './webhook-endpoints.controller.js';

@Module({
  imports: [LimitsModule],
  controllers: [WebhookEndpointsController, WebhookDeliveriesController],
  providers: [
    {
      provide: CreateWebhookEndpoint,
      inject: [STORES, RESOURCES, KnownLimits],
      useFactory: (stores: Stores, { webhookRules: rules }: IngestResources, limits: KnownLimits) =>
        new CreateWebhookEndpoint({ ...stores, rules, mostEndpoints: limits.mostOf('webhookEndpoints') }),
    },
    {
      provide: ChangeWebhookEndpoint,
      inject: [STORES, RESOURCES],
      useFactory: (stores: Stores, { webhookRules: rules }: IngestResources) =>
        new ChangeWebhookEndpoint({ ...stores, rules }),
    },
    {
      provide: TestWebhookEndpoint,
      inject: [STORES, RESOURCES],
      useFactory: (stores: Stores, { webhookTransport: transport }: IngestResources) =>
        new TestWebhookEndpoint({ ...stores, transport }),
    },
    {
      provide: ReadLinkedHistory,
      inject: [STORES, RESOURCES],
      useFactory: (stores: Stores, { historyLinks }: IngestResources) =>
        new ReadLinkedHistory({ ...stores, historyLinks }),
    },
    ...useCases(ReplayDeliveries, SendDeliveriesNow),
  ],
})
export class WebhooksModule {}
