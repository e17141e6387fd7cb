import {
  AdmitDeliveries,
  AdmitExtractions,
  DeliverWebhook,
  DispatchEvents,
  ExtractSession,
  PlanDeliveries,
  ReplayDispatch,
  WithdrawUnheard,
} from '@turnkeeper/application';
import { createExtractor, ExtractionThreads, readNumbers, secrets } from '@turnkeeper/extraction';
import { WorkerHost } from '@turnkeeper/jobs';
import { every } from '@turnkeeper/platform';
import { isDatabaseAway, isLastingFailure, isTooSlow } from '@turnkeeper/postgres';
import { createStores, historyLinksOf, webhookAddresses } from '@turnkeeper/runtime';
import { createWebhookTransport } from '@turnkeeper/webhooks';
import { DueWork } from './dispatch/due-work.js';
import { lostLeases } from './dispatch/lost-leases.js';
import { extractHandler } from './extraction/extract.handler.js';
import { extractionLimits, extractionTiming } from './extraction/extraction-limits.js';
import { meteredExtractor } from './extraction/metered-extractor.js';
import { tracedExtraction } from './extraction/traced-extraction.js';
import { tracedExtractor } from './extraction/traced-extractor.js';
import { jobObserver } from './jobs/job-observer.js';
import { loopsOf } from './loops.js';
import type { WorkerResources } from './resources.js';
import { traceHeaders } from './tracing/traced.js';
import { deliverHandler } from './webhooks/deliver.handler.js';
import { OpenAttempts } from './webhooks/open-attempts.js';
import { tracedDelivery, tracedTransport } from './webhooks/traced-delivery.js';

/** Deliveries queued at once; the rest stays in its rows. */
const DELIVERIES_IN_ONE_GO = 500;
/** How long an unresponsive worker keeps its delivery leases; renewed during an attempt. */
const DELIVERY_LEASE_SECONDS = 5;

export type App = ReturnType<typeof compose>;
/** Injection token of `App`. */
export const APP = Symbol('app');

/** Everything in the process that is made of what it opened before Nest started: stores, use cases, jobs and loops. */
export const compose = (resources: WorkerResources) => {
  const { settings, logger, metrics, failures, queue, stream, tracing } = resources;
  const stores = createStores(resources);

  // Events become due work, and due work becomes jobs.
  const dispatching = { ...stores, planDeliveries: new PlanDeliveries(stores), timing: extractionTiming(settings) };
  const replayDispatch = new ReplayDispatch({
    ...dispatching,
    replays: stores.parkingLot,
    isLasting: (error) => isLastingFailure(error) || isTooSlow(error),
  });
  const dueWork = new DueWork(
    {
      dispatchEvents: new DispatchEvents({
        ...dispatching,
        withdrawUnheard: new WithdrawUnheard(stores),
        isLasting: isLastingFailure,
        isTooSlow,
        onParked: (item) => logger.error({ item }, 'event.parked'),
      }),
      admitExtractions: new AdmitExtractions({
        ...stores,
        queue,
        extractionsPerTenant: settings.EXTRACTION_TENANT_CONCURRENCY,
        maxAttempts: settings.EXTRACTION_MAX_ATTEMPTS,
        onLost: lostLeases(resources, 'extraction'),
      }),
      admitDeliveries: new AdmitDeliveries({
        ...stores,
        queue,
        limits: {
          perEndpoint: settings.WEBHOOK_ENDPOINT_CONCURRENCY,
          perTimedOut: 1,
          timedOutTotal: Math.max(Math.floor(settings.WEBHOOK_OPEN_ATTEMPTS / 2), 1),
          atOnce: DELIVERIES_IN_ONE_GO,
        },
        onLost: lostLeases(resources, 'delivery'),
      }),
    },
    resources.callers,
    logger,
    metrics,
  );

  // Extraction.
  const threads = new ExtractionThreads({
    threads: settings.EXTRACTION_THREADS,
    cpuMs: settings.EXTRACTION_THREAD_SECONDS * 1_000,
    maxMegabytes: settings.EXTRACTION_THREAD_MEGABYTES,
  });
  const model = {
    baseUrl: settings.LLM_BASE_URL,
    model: settings.LLM_MODEL,
    apiKey: settings.LLM_API_KEY,
    timeoutMs: settings.LLM_TIMEOUT_SECONDS * 1_000,
    headers: () => traceHeaders(tracing),
  };
  const extractSession = new ExtractSession({
    ...stores,
    extractor: tracedExtractor(meteredExtractor(createExtractor(model, logger, threads), metrics), tracing, model),
    readNumbers,
    secrets,
    every,
    isDatabaseAway,
    monotonicMs: () => performance.now(),
    limits: extractionLimits(settings),
  });

  // Webhooks.
  const transport = createWebhookTransport({
    ...webhookAddresses(settings),
    timeoutMs: settings.WEBHOOK_TIMEOUT_SECONDS * 1_000,
    // Endpoints that hang must not occupy the connections of others on the same origin.
    connectionsPerOrigin: settings.WEBHOOK_CONCURRENCY + settings.WEBHOOK_OPEN_ATTEMPTS,
  });
  const openAttempts = new OpenAttempts({
    limit: settings.WEBHOOK_OPEN_ATTEMPTS,
    onFailure: (error) => logger.error({ err: error }, 'delivery.failed'),
  });
  const deliverWebhook = new DeliverWebhook({
    ...stores,
    historyLinks: historyLinksOf(resources),
    transport: tracedTransport(transport, tracing),
    monotonicMs: () => performance.now(),
    every,
    random: Math.random,
    settings: { maxBytes: settings.WEBHOOK_INLINE_BYTES, leaseSeconds: DELIVERY_LEASE_SECONDS },
  });

  const jobs = new WorkerHost(
    resources.queues,
    {
      extract: extractHandler(tracedExtraction(extractSession, resources), logger, metrics, failures, () =>
        dueWork.soon('admitExtractions'),
      ),
      deliver: deliverHandler(
        tracedDelivery(deliverWebhook, resources),
        openAttempts,
        logger,
        metrics,
        dueWork.attemptEnded,
      ),
    },
    { concurrency: { extraction: settings.EXTRACTION_CONCURRENCY, delivery: settings.WEBHOOK_CONCURRENCY } },
    jobObserver(logger, metrics),
  );
  const loops = loopsOf(resources, stores, dueWork, replayDispatch);
  return { dueWork, jobs, loops, openAttempts, stream, threads, tracing, transport };
};
