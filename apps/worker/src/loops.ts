import { DeleteRequestedRecords, StopIdleAgents, type ReplayDispatch } from '@turnkeeper/application';
import { Ticker } from '@turnkeeper/platform';
import { PgTotals } from '@turnkeeper/postgres';
import type { Stores } from '@turnkeeper/runtime';
import { connectorTickers } from './connectors/connector-tickers.js';
import type { DueWork } from './dispatch/due-work.js';
import { embedTickers } from './indexes/embed-in-background.js';
import { INDEX_PATIENCE, indexTickers } from './indexes/follow-log.js';
import { operationsTicker } from './operations/operations-ticker.js';
import { purgeTicker } from './purge/purge.js';
import type { WorkerResources } from './resources.js';

const TRACE_PURGE_INTERVAL_MS = 60_000;

/** The process's loops, which start and stop together. */
export class Loops {
  constructor(private readonly tickers: readonly Ticker[]) {}

  start(): void {
    for (const ticker of this.tickers) ticker.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.tickers.map((ticker) => ticker.stop()));
  }
}

/** Everything that the worker does on a timer. Each loop is safe to run in several workers. */
export const loopsOf = (
  resources: WorkerResources,
  stores: Stores,
  dueWork: DueWork,
  replay: ReplayDispatch,
): Loops => {
  const { settings, logger, dataSource, traceContexts } = resources;
  const intervalMs = settings.SWEEP_INTERVAL_MS;
  const stopIdleAgents = new StopIdleAgents(stores);
  const deleteRecords = new DeleteRequestedRecords({
    ...stores,
    failed: (deletionId, error) => logger.error({ deletionId, err: error }, 'record_deletion.failed'),
  });
  const totals = new PgTotals(dataSource);
  const loop = (name: string, ms: number, work: (signal: AbortSignal) => Promise<void>) =>
    new Ticker(name, ms, work, logger);
  return new Loops([
    // They find what JetStream or the queue lost, and what becomes due.
    ...dueWork.tickers(intervalMs),
    loop('replay dispatch', intervalMs, () => replay.execute()),
    loop('idle agents', intervalMs, async (signal) => {
      const stopped = await stopIdleAgents.execute(signal);
      if (stopped > 0) logger.info({ stopped }, 'agents.stopped_idle');
    }),
    ...connectorTickers(resources, stores),
    ...indexTickers(resources),
    ...embedTickers(resources),
    // Adds recorded changes to the stored totals. Readers add them to what they read, so nothing waits for it; it keeps
    // the table of changes short. At the pace of the index of sessions, for the same reason.
    loop('counts', INDEX_PATIENCE * intervalMs, async (signal) => {
      while (await totals.fold()) signal.throwIfAborted();
    }),
    operationsTicker(resources, stores),
    // Also while tracing is off: it may have been on before.
    loop('trace contexts', TRACE_PURGE_INTERVAL_MS, () => traceContexts.purge()),
    // The records of accepted requests, in batches.
    loop('record deletions', intervalMs, async (signal) => {
      const deleted = await deleteRecords.execute(signal);
      if (deleted > 0) logger.info({ deleted }, 'records.deleted');
    }),
    purgeTicker(resources, stores),
  ]);
};
