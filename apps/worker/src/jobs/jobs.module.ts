import { Module } from '@nestjs/common';
import type { JobHandlers } from '@turnkeeper/application';
import { collectHandlers, WorkerHost } from '@turnkeeper/jobs';
import { RESOURCES } from '@turnkeeper/runtime/nest';
import { DispatchModule } from '../dispatch/dispatch.module.js';
import { DueWork } from '../dispatch/due-work.js';
import { ExtractionModule } from '../extraction/extraction.module.js';
import type { WorkerResources } from '../resources.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { jobObserver } from './job-observer.js';
import { DELIVER_JOB, EXTRACT_JOB } from './tokens.js';

/** Takes jobs from the queue and passes them to the handlers of the other modules. */
@Module({
  imports: [DispatchModule, ExtractionModule, WebhooksModule],
  providers: [
    {
      provide: WorkerHost,
      inject: [RESOURCES, EXTRACT_JOB, DELIVER_JOB, DueWork],
      useFactory: (
        { queues, settings, logger, metrics }: WorkerResources,
        extract: JobHandlers['extract'],
        deliver: JobHandlers['deliver'],
        dueWork: DueWork,
      ) =>
        new WorkerHost(
          queues,
          collectHandlers([
            { name: 'extract', handle: extract },
            { name: 'deliver', handle: deliver },
            { name: 'sweep', handle: () => dueWork.sweep() },
          ]),
          { concurrency: { extraction: settings.EXTRACTION_CONCURRENCY, delivery: settings.WEBHOOK_CONCURRENCY } },
          jobObserver(logger, metrics),
        ),
    },
  ],
})
export class JobsModule {}
