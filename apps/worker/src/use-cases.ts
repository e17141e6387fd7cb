import {
  DeliverWebhook,
  DispatchEvents,
  EnqueueDueWork,
  ExtractSession,
  PlanDeliveries,
  StopIdleAgents,
  type Extractor,
  type WebhookTransport,
} from '@turnkeeper/application';
import { systemClock, systemIds } from '@turnkeeper/platform';
import {
  PgAgentIdleStore,
  PgDispatchCursor,
  PgExtractionStore,
  PgRecordStore,
  PgWebhookStore,
  TypeOrmAgentStore,
  TypeOrmMemoryStore,
  TypeOrmUnitOfWork,
} from '@turnkeeper/read-models';
import type { WorkerResources } from './resources.js';

export interface WorkerUseCases {
  readonly dispatchEvents: DispatchEvents;
  readonly enqueueDueWork: EnqueueDueWork;
  readonly extractSession: ExtractSession;
  readonly deliverWebhook: DeliverWebhook;
  readonly stopIdleAgents: StopIdleAgents;
}

/** Deliveries that are put into the queue in one go; the rest waits in its rows. */
const DELIVERIES_IN_ONE_GO = 500;

/** Where ports meet adapters. */
export const createUseCases = (
  { settings, dataSource, eventStore, queue }: WorkerResources,
  extractor: Extractor,
  transport: WebhookTransport,
): WorkerUseCases => {
  const unitOfWork = new TypeOrmUnitOfWork(dataSource);
  const extractions = new PgExtractionStore(dataSource);
  const webhooks = new PgWebhookStore(dataSource);
  const agents = new TypeOrmAgentStore(dataSource);
  const ids = systemIds;
  const timing = {
    turnInterval: settings.EXTRACTION_TURN_INTERVAL,
    quietSeconds: settings.EXTRACTION_QUIET_SECONDS,
  };
  return {
    dispatchEvents: new DispatchEvents({
      unitOfWork,
      eventStore,
      cursor: new PgDispatchCursor(dataSource),
      extractions,
      planDeliveries: new PlanDeliveries({ webhooks, ids }),
      timing,
    }),
    enqueueDueWork: new EnqueueDueWork({
      extractions,
      webhooks,
      queue,
      extractionsPerTenant: settings.EXTRACTION_TENANT_CONCURRENCY,
      deliveries: DELIVERIES_IN_ONE_GO,
    }),
    extractSession: new ExtractSession({
      unitOfWork,
      eventStore,
      memories: new TypeOrmMemoryStore(dataSource),
      records: new PgRecordStore(dataSource),
      extractions,
      extractor,
      ids,
      limits: {
        windowEvents: settings.EXTRACTION_WINDOW_EVENTS,
        contextEvents: settings.EXTRACTION_CONTEXT_EVENTS,
        maxAttempts: settings.EXTRACTION_MAX_ATTEMPTS,
        leaseSeconds: settings.EXTRACTION_LEASE_SECONDS,
        tokensPerDay: settings.LLM_TENANT_TOKENS_PER_DAY,
        timing,
      },
    }),
    stopIdleAgents: new StopIdleAgents({
      unitOfWork,
      eventStore,
      agents,
      agentIdle: new PgAgentIdleStore(dataSource),
      ids,
    }),
    deliverWebhook: new DeliverWebhook({
      webhooks,
      agents,
      eventStore,
      transport,
      clock: systemClock,
      random: Math.random,
      settings: {
        maxBytes: settings.WEBHOOK_INLINE_BYTES,
        leaseSeconds: settings.WEBHOOK_TIMEOUT_SECONDS * 2,
        historyUrl: (agentId) => `${settings.PUBLIC_URL}/v1/agents/${agentId}/history`,
      },
    }),
  };
};
