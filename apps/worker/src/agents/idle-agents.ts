import type { StopIdleAgents } from '@turnkeeper/application';
import { Ticker } from '@turnkeeper/platform';
import type { WorkerResources } from '../resources.js';

/** Stops agents whose idle time is over. Several workers may do it at once; each agent is stopped once. */
export const idleAgentsTicker = (stopIdleAgents: StopIdleAgents, { settings, logger }: WorkerResources): Ticker =>
  new Ticker(
    'idle agents',
    settings.SWEEP_INTERVAL_MS,
    async (signal) => {
      const stopped = await stopIdleAgents.execute(signal);
      if (stopped > 0) logger.info({ stopped }, 'agents.stopped_idle');
    },
    logger,
  );
