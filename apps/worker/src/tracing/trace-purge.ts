import { Ticker } from '@turnkeeper/platform';
import type { WorkerResources } from '../resources.js';

const INTERVAL_MS = 60_000;

/** Deletes old trace contexts. Also runs while tracing is off: it may have been on before. */
export const tracePurgeTicker = ({ traceContexts, logger }: WorkerResources): Ticker =>
  new Ticker('trace contexts', INTERVAL_MS, () => traceContexts.purge(), logger);
