import { Module } from '@nestjs/common';
import { ReplayDispatch } from '@turnkeeper/application';
import { Ticker } from '@turnkeeper/platform';
import type { Stores } from '@turnkeeper/runtime';
import { RESOURCES, STORES } from '@turnkeeper/runtime/nest';
import { idleAgentsTicker } from './agents/idle-agents.js';
import { connectorTickers } from './connectors/connector-tickers.js';
import { DispatchModule } from './dispatch/dispatch.module.js';
import { DueWork } from './dispatch/due-work.js';
import { embedTickers } from './indexes/embed-in-background.js';
import { indexTickers } from './indexes/follow-log.js';
import { foldCountsTicker } from './operations/fold-counts.js';
import { operationsTicker } from './operations/operations-ticker.js';
import { deleteRecordsTicker } from './purge/delete-records.js';
import { purgeTicker } from './purge/purge.js';
import type { WorkerResources } from './resources.js';
import { tracePurgeTicker } from './tracing/trace-purge.js';

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

/** Everything that the worker does on a timer. */
const loopsOf = (resources: WorkerResources, stores: Stores, dueWork: DueWork, replay: ReplayDispatch): Loops => {
  const { settings, logger } = resources;
  const intervalMs = settings.SWEEP_INTERVAL_MS;
  return new Loops([
    // They find what JetStream or the queue lost, and what becomes due.
    ...dueWork.tickers(intervalMs),
    new Ticker('replay dispatch', intervalMs, () => replay.execute(), logger),
    idleAgentsTicker(resources, stores),
    ...connectorTickers(resources, stores),
    ...indexTickers(resources),
    ...embedTickers(resources),
    foldCountsTicker(resources),
    operationsTicker(resources, stores),
    tracePurgeTicker(resources),
    deleteRecordsTicker(resources, stores),
    purgeTicker(resources, stores),
  ]);
};

@Module({
  imports: [DispatchModule],
  providers: [{ provide: Loops, inject: [RESOURCES, STORES, DueWork, ReplayDispatch], useFactory: loopsOf }],
})
export class LoopsModule {}
