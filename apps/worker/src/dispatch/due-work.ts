import type { AdmitDeliveries, AdmitExtractions, DispatchEvents } from '@turnkeeper/application';
import type { Logger, Metrics } from '@turnkeeper/platform';
import { coalesce } from './coalesce.js';

/** Under load, events gather this long before they are dispatched: a page costs its statements, not its events. */
const GATHER_MS = 50;

/** Keeps the queue filled with what is due. Notices, finished jobs and the clock all call it; it may be called always. */
export class DueWork {
  private readonly dispatched;

  /** Turns everything that was committed before the call into due rows, and queues what became due. */
  readonly dispatch = coalesce(async () => {
    const startedAt = performance.now();
    const { events, extractionsDue, deliveriesDue } = await this.useCases.dispatchEvents.execute();
    await Promise.all([
      extractionsDue ? this.admitExtractions() : undefined,
      deliveriesDue ? this.admitDeliveries() : undefined,
    ]);
    if (events === 0) return;
    this.dispatched.inc(events);
    this.logger.info({ events, durationMs: Math.round(performance.now() - startedAt) }, 'events.dispatched');
  }, GATHER_MS);

  /** Finds by the clock what no event brings: what became due by time, and what the queue or JetStream has lost. */
  async sweep(): Promise<void> {
    await this.dispatch();
    await Promise.all([this.admitExtractions(), this.admitDeliveries()]);
  }

  /** Queues the sessions that are due and have room. */
  readonly admitExtractions = coalesce(async () => {
    await this.useCases.admitExtractions.execute();
  });

  /** Queues the deliveries that are due and have room. */
  readonly admitDeliveries = coalesce(async () => {
    await this.useCases.admitDeliveries.execute();
  });

  constructor(
    private readonly useCases: {
      readonly dispatchEvents: DispatchEvents;
      readonly admitExtractions: AdmitExtractions;
      readonly admitDeliveries: AdmitDeliveries;
    },
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.dispatched = metrics.counter('dispatched_events_total', 'Events of the log that were turned into due work.');
  }

  /** An attempt of this endpoint has ended: whoever waited for its room is queued. */
  attemptEnded(endpointId: string): void {
    if (this.useCases.admitDeliveries.madeRoom(endpointId)) this.soon('admitDeliveries');
  }

  /** Queues without anybody waiting for it; a failure is left to the next tick of the clock. */
  soon(kind: 'admitExtractions' | 'admitDeliveries'): void {
    this[kind]().catch((error: unknown) => this.logger.debug({ err: error }, 'enqueue.failed'));
  }
}
