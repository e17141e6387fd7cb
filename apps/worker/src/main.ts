import 'reflect-metadata';
import { getPriority, setPriority } from 'node:os';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  crashOnUncaught,
  createLogger,
  createMetrics,
  describeSettings,
  failStart,
  listenOrSay,
  loadEnvFile,
  loadSettings,
  nestLogger,
  settingsTable,
  stopOnSignal,
} from '@turnkeeper/platform';
import { compose } from './composition.js';
import { connectConsumer } from './consumer.js';
import { registerWorkerHealth } from './health.js';
import { openResources } from './resources.js';
import { shutdownSteps, Stopping } from './shutdown.js';
import { WorkerModule } from './worker.module.js';

/** Callers wait for ingest and not for the worker: where they share a machine, ingest gets three times as much CPU. */
const PRIORITY = 5;

const start = async (): Promise<void> => {
  // A process may not raise its priority again.
  if (getPriority() < PRIORITY) setPriority(PRIORITY);
  loadEnvFile();
  const settings = loadSettings();
  const logger = createLogger('worker', settings.LOG_LEVEL);
  crashOnUncaught(logger);
  const resources = await openResources(settings, logger, createMetrics());
  const app = compose(resources);
  const server = await NestFactory.create<NestFastifyApplication>(WorkerModule.with(app), new FastifyAdapter(), {
    logger: nestLogger(logger),
    abortOnError: false,
  });
  const stopping = new Stopping();
  connectConsumer(server, resources, () => stopping.workLeftMs());
  registerWorkerHealth(server, resources, app, () => stopping.begun);
  // Before the first message or job can arrive: from then on shutdown is graceful.
  stopOnSignal(logger, settings.SHUTDOWN_DEADLINE_SECONDS, shutdownSteps(server, resources, app, stopping));
  await server.startAllMicroservices();
  const place = { host: settings.WORKER_HOST, port: settings.WORKER_PORT };
  await listenOrSay(() => server.listen(place), { variable: 'WORKER_PORT', ...place });
  app.jobs.start();
  app.loops.start();
  logger.info({ url: await server.getUrl(), settings: describeSettings(settingsTable, settings) }, 'worker.started');
};

start().catch((error: unknown) => failStart('worker', error));
