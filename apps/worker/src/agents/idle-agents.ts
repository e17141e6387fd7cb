import type { Stores } from '@turnkeeper/runtime';
import { StopIdleAgents } from '@turnkeeper/application';
import { Ticker } from '@turnkeeper/platform';
import type { WorkerResources } from '../resources.js';

/** Stops idle agents. Safe to run in several workers; each agent is stopped once. */
export const idleAgentsTicker = ({ settings, logger }: WorkerResources, stores: Stores): Ticker => {
  const stopIdleAgents = new StopIdleAgents(stores);
  return new Ticker(
    'idle agents',
    settings.SWEEP_INTERVAL_MS,
    async (signal) => {
      const stopped = await stopIdleAgents.execute(signal);
      if (stopped > 0) logger.info({ stopped }, 'agents.stopped_idle');
    },
    logger,
  );
};
