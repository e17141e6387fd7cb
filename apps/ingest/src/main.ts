import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  crashOnUncaught,
  createLogger,
  createMetrics,
  describeSettings,
  Drain,
  failStart,
  loadEnvFile,
  loadSettings,
  nestLogger,
  settingsTable,
  stopOnSignal,
} from '@turnkeeper/platform';
import { preloadRarities } from '@turnkeeper/search';
import { loadTokens } from '@turnkeeper/search/tokens';
import { compose } from './composition.js';
import { IngestModule } from './ingest.module.js';
import { openResources } from './resources.js';
import { createAdapter, listen, registerHooks, registerOperations } from './server.js';
import { shutdownSteps } from './shutdown.js';

const start = async (): Promise<void> => {
  loadEnvFile();
  const settings = loadSettings();
  const logger = createLogger('ingest', settings.LOG_LEVEL);
  crashOnUncaught(logger);
  const resources = await openResources(settings, logger, createMetrics());
  const adapter = createAdapter(settings);
  const parts = compose(resources);
  const app = await NestFactory.create<NestFastifyApplication>(IngestModule.with(parts), adapter, {
    logger: nestLogger(logger),
    abortOnError: false,
    bodyParser: false,
  });
  const drain = new Drain(adapter.getInstance(), settings.SHUTDOWN_DRAIN_SECONDS * 1_000);
  registerHooks(app, resources, parts);
  const operations = registerOperations(app, resources, drain);
  // Before the first request can arrive: from then on shutdown is graceful.
  stopOnSignal(logger, settings.SHUTDOWN_DEADLINE_SECONDS, shutdownSteps(app, operations, drain, resources));
  preloadRarities();
  loadTokens();
  await listen(app, operations, settings);
  resources.relay.start();
  resources.streamWatch.start();
  resources.content.start();
  const urls = { url: await app.getUrl(), operationsUrl: operations?.listeningOrigin };
  logger.info({ ...urls, settings: describeSettings(settingsTable, settings) }, 'ingest.started');
};

start().catch((error: unknown) => failStart('ingest', error));
