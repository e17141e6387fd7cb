import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { createExtractor, ExtractionThreads } from '@turnkeeper/extraction';
import { collectHandlers, WorkerHost } from '@turnkeeper/jobs';
import { JetStreamStrategy, RethrowFilter } from '@turnkeeper/messaging';
import {
  closeHttp,
  crashOnUncaught,
  createLogger,
  createMetrics,
  describeSettings,
  failStart,
  listenOrSay,
  loadEnvFile,
  loadSettings,
  nestLogger,
  registerHealth,
  settingsTable,
  stopOnSignal,
  Ticker,
  together,
  durabilityCheck,
} from '@turnkeeper/platform';
import { PgParkingLot, signingKey } from '@turnkeeper/postgres';
import { createHistoryLinks, createWebhookTransport } from '@turnkeeper/webhooks';
import { idleAgentsTicker } from './agents/idle-agents.js';
import { connectorTickers } from './connectors/connector-tickers.js';
import { consumerObserver } from './dispatch/consumer-observer.js';
import { DueWork } from './dispatch/due-work.js';
import { embedTurnsTicker } from './embeddings/embed-turns.js';
import { extractHandler } from './extraction/extract.handler.js';
import { meteredExtractor } from './extraction/metered-extractor.js';
import { foldCountsTicker } from './operations/fold-counts.js';
import { jobObserver } from './operations/job-observer.js';
import { operationsTicker } from './operations/operations-ticker.js';
import { deleteRecordsTicker } from './purge/delete-records.js';
import { purgeTicker } from './purge/purge.js';
import { indexActivityTicker, indexQuestionsTicker, indexTurnsTicker } from './questions/index-questions.js';
import { openResources } from './resources.js';
import { createUseCases } from './use-cases.js';
import { deliverHandler } from './webhooks/deliver.handler.js';
import { OpenAttempts } from './webhooks/open-attempts.js';
import { WorkerModule } from './worker.module.js';

/** A loop that has not completed for longer than this, apart from its pauses, counts as stuck. */
const LONGEST_PAUSE_MS = 8_000;

const start = async (): Promise<void> => {
  loadEnvFile();
  const settings = loadSettings();
  const logger = createLogger('worker', settings.LOG_LEVEL);
  crashOnUncaught(logger);
  const metrics = createMetrics();
  const resources = await openResources(settings, logger, metrics);
  const { dataSource, clock, eventStore, broker, stream, queues, queue } = resources;

  const threads = new ExtractionThreads({
    threads: settings.EXTRACTION_THREADS,
    deadlineMs: settings.EXTRACTION_THREAD_SECONDS * 1_000,
    maxMegabytes: settings.EXTRACTION_THREAD_MEGABYTES,
  });
  const extractor = meteredExtractor(
    createExtractor(
      {
        baseUrl: settings.LLM_BASE_URL,
        model: settings.LLM_MODEL,
        apiKey: settings.LLM_API_KEY,
        timeoutMs: settings.LLM_TIMEOUT_SECONDS * 1_000,
      },
      logger,
      threads,
    ),
    metrics,
  );
  const transport = createWebhookTransport({
    allowPrivate: settings.WEBHOOK_ALLOW_PRIVATE_ADDRESSES,
    allowCidrs: settings.WEBHOOK_ALLOW_CIDRS,
    allowHttp: settings.WEBHOOK_ALLOW_HTTP,
    timeoutMs: settings.WEBHOOK_TIMEOUT_SECONDS * 1_000,
    // Endpoints that hang must not occupy the connections of others on the same origin.
    connectionsPerOrigin: settings.WEBHOOK_CONCURRENCY + settings.WEBHOOK_OPEN_ATTEMPTS,
  });
  const openAttempts = new OpenAttempts({
    limit: settings.WEBHOOK_OPEN_ATTEMPTS,
    onFailure: (error) => logger.error({ err: error }, 'delivery.failed'),
  });
  const historyLinks = createHistoryLinks({
    baseUrl: settings.PUBLIC_URL,
    days: settings.HISTORY_LINK_DAYS,
    secret: signingKey(dataSource, resources.cipher, 'history_links', settings.HISTORY_LINK_SECRET),
  });
  const useCases = createUseCases(resources, extractor, transport, historyLinks);
  const dueWork = new DueWork(useCases, logger, metrics);

  const host = new WorkerHost(
    queues,
    collectHandlers([
      {
        name: 'extract',
        handle: extractHandler(useCases.extractSession, logger, metrics, () => dueWork.soon('admitExtractions')),
      },
      {
        name: 'deliver',
        handle: deliverHandler(useCases.deliverWebhook, openAttempts, logger, metrics, (endpointId) =>
          dueWork.attemptEnded(endpointId),
        ),
      },
      { name: 'sweep', handle: () => dueWork.sweep() },
    ]),
    { concurrency: { extraction: settings.EXTRACTION_CONCURRENCY, delivery: settings.WEBHOOK_CONCURRENCY } },
    jobObserver(logger, metrics),
  );

  /** Set when shutdown begins. */
  let workLeftMs = (): number => 0;
  const adapter = new FastifyAdapter();
  const app = await NestFactory.create<NestFastifyApplication>(WorkerModule.with(dueWork), adapter, {
    logger: nestLogger(logger),
    abortOnError: false,
  });
  app.connectMicroservice<MicroserviceOptions>(
    {
      strategy: new JetStreamStrategy({
        broker,
        stream,
        parkingLot: new PgParkingLot(dataSource),
        observer: consumerObserver(logger, metrics),
        closeDeadlineMs: () => workLeftMs(),
      }),
    },
    { inheritAppConfig: true },
  );
  app.useGlobalFilters(new RethrowFilter());
  let stopping = false;
  const longestPauseMs = LONGEST_PAUSE_MS + 2 * settings.SWEEP_INTERVAL_MS;
  registerHealth(
    adapter.getInstance(),
    [
      durabilityCheck(eventStore, settings.DURABLE_COMMITS),
      { name: 'postgres', required: true, check: async () => void (await dataSource.query('select 1')) },
      { name: 'work', required: true, check: () => dueWork.checkProgress(longestPauseMs) },
      {
        name: 'nats',
        required: false,
        check: async () => {
          if (!broker.isConnected()) throw new Error('not connected');
        },
      },
      { name: 'queue', required: false, check: () => queue.ping() },
    ],
    metrics,
    () => stopping,
  );

  // The timers find what JetStream or the queue lost, and what becomes due.
  const embedTurns = embedTurnsTicker(resources);
  const tickers = [
    ...dueWork.tickers(settings.SWEEP_INTERVAL_MS),
    new Ticker('replay dispatch', settings.SWEEP_INTERVAL_MS, () => useCases.replayDispatch.execute(), logger),
    idleAgentsTicker(useCases.stopIdleAgents, resources),
    ...connectorTickers(resources),
    indexQuestionsTicker(resources),
    indexActivityTicker(resources),
    indexTurnsTicker(resources),
    ...(embedTurns ? [embedTurns] : []),
    foldCountsTicker(resources),
    operationsTicker(resources),
    deleteRecordsTicker(resources),
    purgeTicker(resources),
  ];
  // Before the first message or job can arrive: from then on shutdown is graceful.
  stopOnSignal(logger, settings.SHUTDOWN_DEADLINE_SECONDS, [
    { name: 'readiness', run: async () => void (stopping = true) },
    {
      name: 'tickers, jobs, consumers and http',
      run: together(
        // In parallel: while one finishes its current batch, the jobs release their leases.
        async () => void (await Promise.all(tickers.map((ticker) => ticker.stop()))),
        (shutdown) => host.close(shutdown.workLeftMs()).then(() => openAttempts.close()),
        (shutdown) => {
          workLeftMs = shutdown.workLeftMs;
          return closeHttp(adapter.getInstance(), () => app.close());
        },
      ),
    },
    { name: 'queue', run: () => queue.close() },
    { name: 'threads', run: () => threads.close() },
    { name: 'webhooks', run: () => transport.close() },
    { name: 'embeddings', run: async () => resources.embedders?.close() },
    { name: 'event store', run: () => eventStore.close() },
    { name: 'nats', run: () => broker.close() },
    { name: 'clock', run: async () => clock.stop() },
    { name: 'database', run: () => dataSource.destroy() },
  ]);

  await app.startAllMicroservices();
  const place = { host: settings.WORKER_HOST, port: settings.WORKER_PORT };
  await listenOrSay(() => app.listen(place), { variable: 'WORKER_PORT', ...place });
  host.start();
  for (const ticker of tickers) ticker.start();
  logger.info({ url: await app.getUrl(), settings: describeSettings(settingsTable, settings) }, 'worker.started');
};

start().catch((error: unknown) => failStart('worker', error));
