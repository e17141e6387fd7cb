import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { closeHttp, together, type ShutdownStep } from '@turnkeeper/platform';
import { closeRuntime } from '@turnkeeper/runtime';
import type { App } from './composition.js';
import type { WorkerResources } from './resources.js';

/** Whether the shutdown has begun, and how long work in progress may still take. */
export class Stopping {
  begun = false;
  workLeftMs = (): number => 0;
}

/** The steps of a shutdown, in order; a failing one does not stop the others. */
export const shutdownSteps = (
  server: NestFastifyApplication,
  resources: WorkerResources,
  { loops, jobs, openAttempts, threads, transport }: App,
  stopping: Stopping,
): readonly ShutdownStep[] => [
  {
    name: 'readiness',
    run: async () => {
      stopping.begun = true;
      resources.callers.stop();
    },
  },
  {
    name: 'tickers, jobs, consumers and http',
    run: together(
      // In parallel: while one finishes its current batch, the jobs release their leases.
      () => loops.stop(),
      (shutdown) => jobs.close(shutdown.workLeftMs()).then(() => openAttempts.close()),
      (shutdown) => {
        stopping.workLeftMs = shutdown.workLeftMs;
        return closeHttp(server.getHttpAdapter().getInstance(), () => server.close());
      },
    ),
  },
  { name: 'queue', run: () => resources.queue.close() },
  { name: 'threads', run: () => threads.close() },
  { name: 'webhooks', run: () => transport.close() },
  ...closeRuntime(resources),
];
