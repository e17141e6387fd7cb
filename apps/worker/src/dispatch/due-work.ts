import type { DispatchEvents, EnqueueDueWork } from '@turnkeeper/application';
import type { Logger, Metrics } from '@turnkeeper/platform';
import { coalesce } from './coalesce.js';

/** Keeps the queue filled with what is due. Notices, finished jobs and the clock all call it; it may be called always. */
export class DueWork {
  private readonly dispatched;

  /** Turns everything that was committed before the call into due rows, and queues what is due. */
  readonly dispatch = coalesce(async () => {
    const startedAt = performance.now();
    const events = await this.dispatchEvents.execute();
    await this.enqueue();
    if (events === 0) return;
    this.dispatched.inc(events);
    this.logger.info({ events, durationMs: Math.round(performance.now() - startedAt) }, 'events.dispatched');
  });

  /** Queues what is due and has room. */
  readonly enqueue = coalesce(async () => {
    await this.enqueueDueWork.execute();
  });

  constructor(
    private readonly dispatchEvents: DispatchEvents,
    private readonly enqueueDueWork: EnqueueDueWork,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.dispatched = metrics.counter('dispatched_events_total', 'Events of the log that were turned into due work.');
  }

  /** Queues what is due without anybody waiting for it; a failure is left to the next tick of the clock. */
  enqueueSoon(): void {
    this.enqueue().catch((error: unknown) => this.logger.debug({ err: error }, 'enqueue.failed'));
  }
}
