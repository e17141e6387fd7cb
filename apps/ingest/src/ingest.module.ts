import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import {
  AppendEvents,
  CreateMemory,
  CreateWebhookEndpoint,
  ExtractionStatus,
  ListEvents,
  ListRecords,
  RequestExtraction,
  SearchRecords,
  StartAgent,
  StopAgent,
} from '@turnkeeper/application';
import { systemClock, systemIds } from '@turnkeeper/platform';
import {
  PgDispatchCursor,
  PgExtractionStore,
  PgRecordStore,
  PgWebhookStore,
  TypeOrmAgentStore,
  TypeOrmKeyStore,
  TypeOrmMemoryStore,
  TypeOrmUnitOfWork,
} from '@turnkeeper/read-models';
import { AgentsController } from './agents/agents.controller.js';
import { AuthGuard } from './auth/auth.guard.js';
import { Authenticator } from './auth/authenticator.js';
import { EventsController } from './events/events.controller.js';
import { ProblemFilter } from './http/problem.filter.js';
import { MemoriesController } from './memories/memories.controller.js';
import { ExtractionController } from './records/extraction.controller.js';
import { RecordsController } from './records/records.controller.js';
import type { IngestResources } from './resources.js';
import { AGENT_STORE, APPENDED, MEMORY_STORE, WEBHOOK_STORE } from './tokens.js';
import { WebhookEndpointsController } from './webhooks/webhook-endpoints.controller.js';

/** Where ports meet adapters. */
const providersOf = ({ dataSource, eventStore, relay, logger, webhookRules }: IngestResources): Provider[] => {
  const unitOfWork = new TypeOrmUnitOfWork(dataSource);
  const memories = new TypeOrmMemoryStore(dataSource);
  const agents = new TypeOrmAgentStore(dataSource);
  const records = new PgRecordStore(dataSource);
  const extractions = new PgExtractionStore(dataSource);
  const webhooks = new PgWebhookStore(dataSource);
  const cursor = new PgDispatchCursor(dataSource);
  const ids = systemIds;
  return [
    { provide: MEMORY_STORE, useValue: memories },
    { provide: AGENT_STORE, useValue: agents },
    { provide: WEBHOOK_STORE, useValue: webhooks },
    { provide: APPENDED, useValue: () => relay.notify() },
    { provide: CreateMemory, useValue: new CreateMemory({ unitOfWork, eventStore, memories, ids }) },
    { provide: AppendEvents, useValue: new AppendEvents({ eventStore, ids }) },
    { provide: ListEvents, useValue: new ListEvents({ eventStore, memories }) },
    { provide: SearchRecords, useValue: new SearchRecords({ memories, records }) },
    { provide: ListRecords, useValue: new ListRecords({ memories, records }) },
    { provide: RequestExtraction, useValue: new RequestExtraction({ memories, extractions }) },
    {
      provide: ExtractionStatus,
      useValue: new ExtractionStatus({ memories, eventStore, cursor, extractions }),
    },
    { provide: StartAgent, useValue: new StartAgent({ unitOfWork, eventStore, agents, ids }) },
    { provide: StopAgent, useValue: new StopAgent({ unitOfWork, eventStore, agents, ids }) },
    {
      provide: CreateWebhookEndpoint,
      useValue: new CreateWebhookEndpoint({ webhooks, rules: webhookRules, ids, clock: systemClock }),
    },
    { provide: Authenticator, useValue: new Authenticator(new TypeOrmKeyStore(dataSource), systemClock) },
    { provide: APP_GUARD, useClass: AuthGuard },
    { provide: APP_FILTER, useValue: new ProblemFilter(logger) },
  ];
};

@Module({
  controllers: [
    MemoriesController,
    EventsController,
    RecordsController,
    ExtractionController,
    AgentsController,
    WebhookEndpointsController,
  ],
})
export class IngestModule {
  static with(resources: IngestResources): DynamicModule {
    return { module: IngestModule, providers: providersOf(resources) };
  }
}
