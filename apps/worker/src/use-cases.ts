import {
  AdmitDeliveries,
  AdmitExtractions,
  DeliverWebhook,
  DispatchEvents,
  ExtractSession,
  PlanDeliveries,
  ReplayDispatch,
  StopIdleAgents,
  type Extractor,
  type HistoryLinks,
  type WebhookTransport,
} from '@turnkeeper/application';
import { every, isDatabaseAway, systemIds } from '@turnkeeper/platform';
import {
  PgAgentIdleStore,
  PgDeliveryStore,
  PgDispatchCursor,
  isLastingFailure,
  isTooSlow,
  PgExtractionStore,
  PgParkingLot,
  PgRecordChanges,
  PgRecordStore,
  PgRollingMemoryStore,
  PgWebhookEndpointStore,
  TypeOrmAgentStore,
  TypeOrmMemoryStore,
  TypeOrmUnitOfWork,
} from '@turnkeeper/postgres';
import type { WorkerResources } from './resources.js';

export interface WorkerUseCases {
  readonly dispatchEvents: DispatchEvents;
  readonly replayDispatch: ReplayDispatch;
  readonly admitExtractions: AdmitExtractions;
  readonly admitDeliveries: AdmitDeliveries;
  readonly extractSession: ExtractSession;
  readonly deliverWebhook: DeliverWebhook;
  readonly stopIdleAgents: StopIdleAgents;
}

/** Deliveries queued at once; the rest stays in its rows. */
const DELIVERIES_IN_ONE_GO = 500;
/** How long a silent worker keeps its delivery leases; renewed during an attempt. */
const DELIVERY_LEASE_SECONDS = 5;

const monotonicMs = (): number => performance.now();

/** Wires ports to adapters. */
export const createUseCases = (
  { settings, dataSource, cipher, eventStore, queue, logger, metrics }: WorkerResources,
  extractor: Extractor,
  transport: WebhookTransport,
  historyLinks: HistoryLinks,
): WorkerUseCases => {
  const unitOfWork = new TypeOrmUnitOfWork(dataSource, eventStore.staging);
  const extractions = new PgExtractionStore(dataSource);
  const deliveries = new PgDeliveryStore(dataSource, cipher);
  const agents = new TypeOrmAgentStore(dataSource);
  const ids = systemIds;
  const lostLeases = metrics.counter('lost_leases_total');
  const noteLost = (kind: 'extraction' | 'delivery', claim: object): void => {
    lostLeases.inc({ kind });
    logger.warn({ kind, ...claim }, 'lease.lost');
  };
  const timing = {
    turnInterval: settings.EXTRACTION_TURN_INTERVAL,
    quietSeconds: settings.EXTRACTION_QUIET_SECONDS,
  };
  const planDeliveries = new PlanDeliveries({
    endpoints: new PgWebhookEndpointStore(dataSource, cipher),
    deliveries,
    ids,
  });
  const cursor = new PgDispatchCursor(dataSource);
  const parkingLot = new PgParkingLot(dataSource);
  return {
    replayDispatch: new ReplayDispatch({
      ...{ unitOfWork, eventStore, cursor, extractions, planDeliveries, timing, replays: parkingLot },
      isLasting: (error) => isLastingFailure(error) || isTooSlow(error),
    }),
    dispatchEvents: new DispatchEvents({
      ...{ unitOfWork, eventStore, cursor, extractions, planDeliveries, timing, parkingLot },
      isLasting: isLastingFailure,
      isTooSlow,
      onParked: (item) => logger.error({ item }, 'event.parked'),
    }),
    admitExtractions: new AdmitExtractions({
      extractions,
      queue,
      extractionsPerTenant: settings.EXTRACTION_TENANT_CONCURRENCY,
      maxAttempts: settings.EXTRACTION_MAX_ATTEMPTS,
      onLost: (claim) => noteLost('extraction', claim),
    }),
    admitDeliveries: new AdmitDeliveries({
      deliveries,
      queue,
      limits: {
        perEndpoint: settings.WEBHOOK_ENDPOINT_CONCURRENCY,
        perTimedOut: 1,
        timedOutTotal: Math.max(Math.floor(settings.WEBHOOK_OPEN_ATTEMPTS / 2), 1),
        atOnce: DELIVERIES_IN_ONE_GO,
      },
      onLost: (claim) => noteLost('delivery', claim),
    }),
    extractSession: new ExtractSession({
      unitOfWork,
      eventStore,
      memories: new TypeOrmMemoryStore(dataSource),
      records: new PgRecordStore(dataSource),
      recordChanges: new PgRecordChanges(dataSource),
      rollingMemory: new PgRollingMemoryStore(dataSource),
      extractions,
      extractor,
      ids,
      every,
      isDatabaseAway,
      monotonicMs,
      limits: {
        windowEvents: settings.EXTRACTION_WINDOW_EVENTS,
        windowBytes: settings.EXTRACTION_WINDOW_BYTES,
        contextEvents: settings.EXTRACTION_CONTEXT_EVENTS,
        maxAttempts: settings.EXTRACTION_MAX_ATTEMPTS,
        maxOutageTries: settings.EXTRACTION_MAX_OUTAGE_TRIES,
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
      deliveries,
      agents,
      eventStore,
      historyLinks,
      transport,
      monotonicMs,
      every,
      random: Math.random,
      settings: {
        maxBytes: settings.WEBHOOK_INLINE_BYTES,
        leaseSeconds: DELIVERY_LEASE_SECONDS,
      },
    }),
  };
};
