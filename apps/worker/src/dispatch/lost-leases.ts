import type { WorkerResources } from '../resources.js';

/** Counts and logs leases that expired before their job ended. */
export const lostLeases = (
  { metrics, logger }: WorkerResources,
  kind: 'extraction' | 'delivery',
): ((claim: object) => void) => {
  const lost = metrics.counter('lost_leases_total');
  return (claim) => {
    lost.inc({ kind });
    logger.warn({ kind, ...claim }, 'lease.lost');
  };
};
