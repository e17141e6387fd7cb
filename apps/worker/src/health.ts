import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { registerHealth } from '@turnkeeper/platform';
import { runtimeChecks, statusSource } from '@turnkeeper/runtime';
import type { App } from './composition.js';
import type { WorkerResources } from './resources.js';

/** A loop that has not completed for longer than this, apart from its pauses, counts as stuck. */
const LONGEST_PAUSE_MS = 8_000;

/** Serves health and metrics. */
export const registerWorkerHealth = (
  app: NestFastifyApplication,
  resources: WorkerResources,
  { dueWork }: Pick<App, 'dueWork'>,
  isStopping: () => boolean,
): void => {
  const { settings, queue, metrics } = resources;
  const longestPauseMs = LONGEST_PAUSE_MS + 2 * settings.SWEEP_INTERVAL_MS;
  const checks = [
    ...runtimeChecks(resources),
    { name: 'work', required: true, check: () => dueWork.checkProgress(longestPauseMs) },
    { name: 'queue', required: false, check: () => queue.ping() },
  ];
  registerHealth(app.getHttpAdapter().getInstance(), checks, metrics, isStopping, statusSource('worker', resources));
};
