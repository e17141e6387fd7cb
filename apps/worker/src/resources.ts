import { BullMqJobQueue, queueBackend } from '@turnkeeper/jobs';
import type { Logger, Metrics, Settings } from '@turnkeeper/platform';
import { openRuntime, type Runtime } from '@turnkeeper/runtime';

export interface WorkerResources extends Runtime {
  readonly queues: ReturnType<typeof queueBackend>;
  readonly queue: BullMqJobQueue;
}

/** Everything with a connection; `shutdownSteps` closes it. */
export const openResources = async (settings: Settings, logger: Logger, metrics: Metrics): Promise<WorkerResources> => {
  const runtime = await openRuntime(settings, logger, metrics, { service: 'worker', append: { lanes: 1 } });
  const queues = queueBackend(settings.QUEUE_URL, { namespace: settings.QUEUE_PREFIX });
  const queue = new BullMqJobQueue(queues, {
    onError: (error) => logger.debug({ err: error }, 'queue.connection_lost'),
  });
  return { ...runtime, queues, queue };
};
