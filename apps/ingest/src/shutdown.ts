import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { closeHttp, type Drain, type ShutdownStep } from '@turnkeeper/platform';
import { closeRuntime } from '@turnkeeper/runtime';
import type { FastifyInstance } from 'fastify';
import type { IngestResources } from './resources.js';

/**
 * The steps of a shutdown, in order; a failing one does not stop the others. Resources known only to Nest modules stop
 * in their hooks, within the step `http`: hooks alone have no deadline and stop at the first failure.
 */
export const shutdownSteps = (
  app: NestFastifyApplication,
  operations: FastifyInstance | null,
  drain: Drain,
  resources: IngestResources,
): readonly ShutdownStep[] => [
  { name: 'drain', run: (shutdown) => drain.run(shutdown) },
  { name: 'http', run: () => closeHttp(app.getHttpAdapter().getInstance(), () => app.close()) },
  { name: 'operations port', run: async () => operations?.close() },
  { name: 'webhook tests', run: () => resources.webhookTransport.close() },
  { name: 'stream watch', run: () => resources.streamWatch.stop() },
  { name: 'content stream', run: () => resources.content.stop() },
  { name: 'relay', run: () => resources.relay.stop() },
  ...closeRuntime(resources),
];
