import { Module, type DynamicModule } from '@nestjs/common';
import { RuntimeModule } from '@turnkeeper/runtime/nest';
import { DispatchModule } from './dispatch/dispatch.module.js';
import { ExtractionModule } from './extraction/extraction.module.js';
import { JobsModule } from './jobs/jobs.module.js';
import { LoopsModule } from './loops.js';
import type { WorkerResources } from './resources.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

@Module({
  imports: [DispatchModule, JobsModule, ExtractionModule, WebhooksModule, LoopsModule],
})
export class WorkerModule {
  static with(resources: WorkerResources): DynamicModule {
    return { module: WorkerModule, imports: [RuntimeModule.with(resources)] };
  }
}
