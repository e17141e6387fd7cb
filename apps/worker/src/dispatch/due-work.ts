import type { DispatchEvents, EnqueueDueWork } from '@turnkeeper/application';
import type { Logger, Metrics } from '@turnkeeper/platform';

/**
 * Turns new events into due rows and puts what is due into the queue. Called for every notice, after every job that
 * leaves more to do, and by the clock; calls that come while it runs share the next run.
 */
export class DueWork {
  private running: Promise<void> | null = null;
  private next: Promise<void> | null = null;
  private readonly dispatched;

  constructor(
    private readonly dispatchEvents: DispatchEvents,
    private readonly enqueueDueWork: EnqueueDueWork,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.dispatched = metrics.counter('dispatched_events_total', 'Events of the log that were turned into due work.');
  }

  /** Resolves when everything that was committed before this call is dispatched and queued. */
  async run(): Promise<void> {
    if (this.running === null) return this.begin();
    // The run in flight may have looked too early; the one after it has not.
    this.next ??= this.running.catch(() => undefined).then(() => this.begin());
    return this.next;
  }

  private begin(): Promise<void> {
    this.next = null;
    this.running = this.work().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  private async work(): Promise<void> {
    const startedAt = performance.now();
    const events = await this.dispatchEvents.execute();
    const jobs = await this.enqueueDueWork.execute();
    if (events === 0) return;
    this.dispatched.inc(events);
    this.logger.info({ events, jobs, durationMs: Math.round(performance.now() - startedAt) }, 'events.dispatched');
  }
}
