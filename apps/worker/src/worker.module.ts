import { Module, type DynamicModule } from '@nestjs/common';
import { RuntimeModule } from '@turnkeeper/runtime/nest';
import { AgentsModule } from './agents/agents.module.js';
import { ConnectorsModule } from './connectors/connectors.module.js';
import { DispatchModule } from './dispatch/dispatch.module.js';
import { ExtractionModule } from './extraction/extraction.module.js';
import { IndexesModule } from './indexes/indexes.module.js';
import { JobsModule } from './jobs/jobs.module.js';
import { LoopsModule } from './loops.js';
import { OperationsModule } from './operations/operations.module.js';
import { PurgeModule } from './purge/purge.module.js';
import type { WorkerResources } from './resources.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

@Module({
  imports: [
    LoopsModule,
    DispatchModule,
    JobsModule,
    ExtractionModule,
    WebhooksModule,
    AgentsModule,
    ConnectorsModule,
    IndexesModule,
    OperationsModule,
    PurgeModule,
  ],
})
export class WorkerModule {
  static with(resources: WorkerResources): DynamicModule {
    return { module: WorkerModule, imports: [RuntimeModule.with(resources)] };
  }
}
