import { Module } from '@nestjs/common';
import { DeliverWebhook } from '@turnkeeper/application';
import { every, type Settings } from '@turnkeeper/platform';
import { historyLinksOf, webhookAddresses, type Stores } from '@turnkeeper/runtime';
import { RESOURCES, SETTINGS, STORES } from '@turnkeeper/runtime/nest';
import { createWebhookTransport } from '@turnkeeper/webhooks';
import { DispatchModule } from '../dispatch/dispatch.module.js';
import { DueWork } from '../dispatch/due-work.js';
import { DELIVER_JOB } from '../jobs/tokens.js';
import type { WorkerResources } from '../resources.js';
import { deliverHandler } from './deliver.handler.js';
import { OpenAttempts } from './open-attempts.js';
import { tracedDelivery, tracedTransport } from './traced-delivery.js';

/** How long an unresponsive worker keeps its delivery leases; renewed during an attempt. */
const DELIVERY_LEASE_SECONDS = 5;

export const WEBHOOK_TRANSPORT = Symbol('webhook transport');
export type ClosableTransport = ReturnType<typeof createWebhookTransport>;

@Module({
  imports: [DispatchModule],
  providers: [
    {
      provide: WEBHOOK_TRANSPORT,
      inject: [SETTINGS],
      useFactory: (settings: Settings): ClosableTransport =>
        createWebhookTransport({
          ...webhookAddresses(settings),
          timeoutMs: settings.WEBHOOK_TIMEOUT_SECONDS * 1_000,
          // Endpoints that hang must not occupy the connections of others on the same origin.
          connectionsPerOrigin: settings.WEBHOOK_CONCURRENCY + settings.WEBHOOK_OPEN_ATTEMPTS,
        }),
    },
    {
      provide: OpenAttempts,
      inject: [RESOURCES],
      useFactory: ({ settings, logger }: WorkerResources) =>
        new OpenAttempts({
          limit: settings.WEBHOOK_OPEN_ATTEMPTS,
          onFailure: (error) => logger.error({ err: error }, 'delivery.failed'),
        }),
    },
    {
      provide: DeliverWebhook,
      inject: [STORES, RESOURCES, WEBHOOK_TRANSPORT],
      useFactory: (stores: Stores, resources: WorkerResources, transport: ClosableTransport) =>
        new DeliverWebhook({
          ...stores,
          historyLinks: historyLinksOf(resources),
          transport: tracedTransport(transport, resources.tracing),
          monotonicMs: () => performance.now(),
          every,
          random: Math.random,
          settings: { maxBytes: resources.settings.WEBHOOK_INLINE_BYTES, leaseSeconds: DELIVERY_LEASE_SECONDS },
        }),
    },
    {
      provide: DELIVER_JOB,
      inject: [DeliverWebhook, OpenAttempts, RESOURCES, DueWork],
      useFactory: (
        deliverWebhook: DeliverWebhook,
        openAttempts: OpenAttempts,
        resources: WorkerResources,
        dueWork: DueWork,
      ) => {
        const { logger, metrics } = resources;
        const traced = tracedDelivery(deliverWebhook, resources);
        return deliverHandler(traced, openAttempts, logger, metrics, dueWork.attemptEnded);
      },
    },
  ],
  exports: [DELIVER_JOB],
})
export class WebhooksModule {}
