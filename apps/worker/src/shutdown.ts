import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ExtractionThreads } from '@turnkeeper/extraction';
import { WorkerHost } from '@turnkeeper/jobs';
import { closeHttp, together, type ShutdownStep } from '@turnkeeper/platform';
import { closeRuntime } from '@turnkeeper/runtime';
import { Loops } from './loops.js';
import type { WorkerResources } from './resources.js';
import { OpenAttempts } from './webhooks/open-attempts.js';
import { WEBHOOK_TRANSPORT, type ClosableTransport } from './webhooks/webhooks.module.js';

/** Whether the shutdown has begun, and how long work in progress may still take. */
export class Stopping {
  begun = false;
  workLeftMs = (): number => 0;
}

/** The steps of a shutdown, in order; a failing one does not stop the others. */
export const shutdownSteps = (
  app: NestFastifyApplication,
  resources: WorkerResources,
  stopping: Stopping,
): readonly ShutdownStep[] => {
  const loops = app.get(Loops);
  const jobs = app.get(WorkerHost);
  const openAttempts = app.get(OpenAttempts);
  const threads = app.get(ExtractionThreads);
  const transport = app.get<ClosableTransport>(WEBHOOK_TRANSPORT);
  return [
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
          return closeHttp(app.getHttpAdapter().getInstance(), () => app.close());
        },
      ),
    },
    { name: 'queue', run: () => resources.queue.close() },
    { name: 'threads', run: () => threads.close() },
    { name: 'webhooks', run: () => transport.close() },
    ...closeRuntime(resources),
  ];
};
