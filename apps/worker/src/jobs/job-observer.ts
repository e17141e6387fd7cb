import type { WorkerHostObserver } from '@turnkeeper/jobs';
import type { Logger, Metrics } from '@turnkeeper/platform';

/** Counts job outcomes and logs failures. */
export const jobObserver = (logger: Logger, metrics: Metrics): WorkerHostObserver => {
  const jobs = metrics.counter('jobs_total');
  return {
    finished: ({ name }) => jobs.inc({ kind: name, outcome: 'finished' }),
    failed: (job, error) => {
      jobs.inc({ kind: job?.name ?? 'unknown', outcome: 'failed' });
      logger.error({ err: error, job }, 'job.failed');
    },
    recovered: (queue) => {
      jobs.inc({ kind: queue, outcome: 'recovered' });
      logger.warn({ queue }, 'job.recovered');
    },
    troubled: (queue, error) => logger.debug({ err: error, queue }, 'queue.troubled'),
  };
};
