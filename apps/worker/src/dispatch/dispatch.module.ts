import { Module } from '@nestjs/common';
import {
  AdmitDeliveries,
  AdmitExtractions,
  DispatchEvents,
  PlanDeliveries,
  ReplayDispatch,
  WithdrawUnheard,
} from '@turnkeeper/application';
import { isLastingFailure, isTooSlow } from '@turnkeeper/postgres';
import type { Stores } from '@turnkeeper/runtime';
import { RESOURCES, STORES, useCases } from '@turnkeeper/runtime/nest';
import { extractionTiming } from '../extraction/extraction-limits.js';
import type { WorkerResources } from '../resources.js';
import { DueWork } from './due-work.js';
import { EventNoticesController } from './event-notices.controller.js';
import { lostLeases } from './lost-leases.js';

/** Deliveries queued at once; the rest stays in its rows. */
const DELIVERIES_IN_ONE_GO = 500;

/** Turns events into due work, and due work into jobs. */
@Module({
  controllers: [EventNoticesController],
  providers: [
    ...useCases(PlanDeliveries),
    {
      provide: ReplayDispatch,
      inject: [STORES, RESOURCES, PlanDeliveries],
      useFactory: (stores: Stores, { settings }: WorkerResources, planDeliveries: PlanDeliveries) =>
        new ReplayDispatch({
          ...stores,
          planDeliveries,
          timing: extractionTiming(settings),
          replays: stores.parkingLot,
          isLasting: (error) => isLastingFailure(error) || isTooSlow(error),
        }),
    },
    {
      provide: DispatchEvents,
      inject: [STORES, RESOURCES, PlanDeliveries],
      useFactory: (stores: Stores, { settings, logger }: WorkerResources, planDeliveries: PlanDeliveries) =>
        new DispatchEvents({
          ...stores,
          planDeliveries,
          withdrawUnheard: new WithdrawUnheard(stores),
          timing: extractionTiming(settings),
          isLasting: isLastingFailure,
          isTooSlow,
          onParked: (item) => logger.error({ item }, 'event.parked'),
        }),
    },
    {
      provide: AdmitExtractions,
      inject: [STORES, RESOURCES],
      useFactory: ({ extractions, extractionSchedule }: Stores, resources: WorkerResources) =>
        new AdmitExtractions({
          extractions,
          extractionSchedule,
          queue: resources.queue,
          extractionsPerTenant: resources.settings.EXTRACTION_TENANT_CONCURRENCY,
          maxAttempts: resources.settings.EXTRACTION_MAX_ATTEMPTS,
          onLost: lostLeases(resources, 'extraction'),
        }),
    },
    {
      provide: AdmitDeliveries,
      inject: [STORES, RESOURCES],
      useFactory: ({ deliveries }: Stores, resources: WorkerResources) =>
        new AdmitDeliveries({
          deliveries,
          queue: resources.queue,
          limits: {
            perEndpoint: resources.settings.WEBHOOK_ENDPOINT_CONCURRENCY,
            perTimedOut: 1,
            timedOutTotal: Math.max(Math.floor(resources.settings.WEBHOOK_OPEN_ATTEMPTS / 2), 1),
            atOnce: DELIVERIES_IN_ONE_GO,
          },
          onLost: lostLeases(resources, 'delivery'),
        }),
    },
    {
      provide: DueWork,
      inject: [DispatchEvents, AdmitExtractions, AdmitDeliveries, RESOURCES],
      useFactory: (
        dispatchEvents: DispatchEvents,
        admitExtractions: AdmitExtractions,
        admitDeliveries: AdmitDeliveries,
        { callers, logger, metrics }: WorkerResources,
      ) => new DueWork({ dispatchEvents, admitExtractions, admitDeliveries }, callers, logger, metrics),
    },
  ],
  exports: [DueWork, ReplayDispatch],
})
export class DispatchModule {}
