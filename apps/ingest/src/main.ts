import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  closeHttp,
  crashOnUncaught,
  createLogger,
  createMetrics,
  describeSettings,
  failStart,
  listenOrSay,
  Drain,
  loadEnvFile,
  loadSettings,
  nestLogger,
  operationsServer,
  registerHealth,
  settingsTable,
  stopOnSignal,
  systemIds,
  durabilityCheck,
} from '@turnkeeper/platform';
import { withoutRegion } from './agora/agora-dialect.js';
import { Admission } from './edge/admit-on-headers.js';
import { edgeOptions, registerEdge } from './edge/register-edge.js';
import { PgAuditLog } from '@turnkeeper/postgres';
import { recordChanges } from './audit/record-changes.js';
import { challengeMcpCallers } from './mcp/challenge-callers.js';
import { McpGate } from './mcp/mcp-gate.js';
import { registerAccessLog } from './http/access-log.js';
import { answerProblem } from './http/problem.filter.js';
import { DIALECTS, IngestModule } from './ingest.module.js';
import { openResources } from './resources.js';

const start = async (): Promise<void> => {
  loadEnvFile();
  const settings = loadSettings();
  const logger = createLogger('ingest', settings.LOG_LEVEL);
  crashOnUncaught(logger);
  const metrics = createMetrics();
  const resources = await openResources(settings, logger, metrics);
  const { dataSource, clock, eventStore, broker, relay } = resources;

  const adapter = new FastifyAdapter({
    ...edgeOptions(settings),
    genReqId: () => systemIds.next(),
    rewriteUrl: ({ url = '/' }) => withoutRegion(url),
    trustProxy: settings.TRUSTED_PROXIES.length === 0 ? false : [...settings.TRUSTED_PROXIES],
    routerOptions: { maxParamLength: 2_048 },
    forceCloseConnections: 'idle',
    // Requests that arrive on an open connection during shutdown are served to the end.
    return503OnClosing: false,
    frameworkErrors: answerProblem(DIALECTS),
    // Skips Nest's middleware runner, which every request would pass although there is no middleware.
    skipMiddie: true,
  });
  const server = adapter.getInstance();
  const app = await NestFactory.create<NestFastifyApplication>(IngestModule.with(resources), adapter, {
    logger: nestLogger(logger),
    abortOnError: false,
    bodyParser: false,
  });
  const drain = new Drain(server, settings.SHUTDOWN_DRAIN_SECONDS * 1_000);
  registerAccessLog(server, logger, metrics);
  recordChanges(server, new PgAuditLog(dataSource), logger);
  registerEdge(server, settings, app.get(Admission));
  challengeMcpCallers(server, app.get(McpGate));
  const operations = settings.INGEST_OPERATIONS_PORT === undefined ? null : operationsServer();
  registerHealth(
    operations ?? server,
    [
      durabilityCheck(eventStore, settings.DURABLE_COMMITS),
      { name: 'postgres', required: true, check: async () => void (await dataSource.query('select 1')) },
      {
        name: 'nats',
        required: false,
        check: async () => {
          if (!broker.isConnected()) throw new Error('not connected');
        },
      },
    ],
    metrics,
    () => drain.isStopping,
  );
  // Before the first request can arrive: from then on shutdown is graceful.
  stopOnSignal(logger, settings.SHUTDOWN_DEADLINE_SECONDS, [
    { name: 'drain', run: (shutdown) => drain.run(shutdown) },
    { name: 'waiting requests', run: async () => resources.closing.abort() },
    { name: 'http', run: () => closeHttp(server, () => app.close()) },
    { name: 'operations port', run: async () => operations?.close() },
    { name: 'webhook tests', run: () => resources.webhookTransport.close() },
    { name: 'stream watch', run: () => resources.streamWatch.stop() },
    { name: 'relay', run: () => relay.stop() },
    { name: 'event store', run: () => eventStore.close() },
    { name: 'embeddings', run: async () => resources.embedders?.close() },
    { name: 'nats', run: () => broker.close() },
    { name: 'clock', run: async () => clock.stop() },
    { name: 'database', run: () => dataSource.destroy() },
  ]);
  const place = { host: settings.INGEST_HOST, port: settings.INGEST_PORT };
  await listenOrSay(() => app.listen(place), { variable: 'INGEST_PORT', ...place });
  const operationsPlace = { host: settings.INGEST_HOST, port: settings.INGEST_OPERATIONS_PORT ?? 0 };
  if (operations !== null) {
    const listening = { variable: 'INGEST_OPERATIONS_PORT', ...operationsPlace };
    await listenOrSay(() => operations.listen(operationsPlace), listening);
  }
  relay.start();
  resources.streamWatch.start();
  const operationsUrl = operations?.listeningOrigin;
  const url = await app.getUrl();
  logger.info({ url, operationsUrl, settings: describeSettings(settingsTable, settings) }, 'ingest.started');
};

start().catch((error: unknown) => failStart('ingest', error));
