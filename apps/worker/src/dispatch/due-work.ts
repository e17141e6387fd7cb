import type { AdmitDeliveries, AdmitExtractions, DispatchEvents } from '@turnkeeper/application';
import { Ticker, type Logger, type Metrics } from '@turnkeeper/platform';
import type { CallerActivity } from '@turnkeeper/postgres';
import { coalesce } from './coalesce.js';

/** Dispatch and the admission of sessions start at most this often, because each run has a fixed cost. */
const GATHER_MS = 50;

const LOOPS = ['dispatch', 'admitExtractions', 'admitDeliveries'] as const;

/** Keeps the queue filled with due work. Called on notices, after jobs and on a timer; extra calls are harmless. */
export class DueWork {
  private readonly dispatched;
  /** When each loop last completed, on a monotonic clock. */
  private readonly endedMs = { dispatch: -Infinity, admitExtractions: -Infinity, admitDeliveries: -Infinity };

  /** Dispatches everything committed before the call into due rows, and queues what became due. */
  readonly dispatch = coalesce(async () => {
    const startedAt = performance.now();
    const { events, turns, extractionsDue, deliveriesDue } = await this.useCases.dispatchEvents.execute();
    this.callers.note(turns);
    this.endedMs.dispatch = performance.now();
    // Dispatch continues even if the queue is down.
    if (extractionsDue) this.soon('admitExtractions');
    if (deliveriesDue) this.soon('admitDeliveries');
    if (events === 0) return;
    this.dispatched.inc(events);
    this.logger.info({ events, durationMs: Math.round(performance.now() - startedAt) }, 'events.dispatched');
  }, GATHER_MS);

  /** Queues due sessions within their tenants' limits. */
  readonly admitExtractions = coalesce(async () => {
    await this.useCases.admitExtractions.execute();
    this.endedMs.admitExtractions = performance.now();
  }, GATHER_MS);

  /** Queues due deliveries within their endpoints' limits. */
  readonly admitDeliveries = coalesce(async () => {
    await this.useCases.admitDeliveries.execute();
    this.endedMs.admitDeliveries = performance.now();
  });

  constructor(
    private readonly useCases: {
      readonly dispatchEvents: DispatchEvents;
      readonly admitExtractions: AdmitExtractions;
      readonly admitDeliveries: AdmitDeliveries;
    },
    private readonly callers: Pick<CallerActivity, 'note'>,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.dispatched = metrics.counter('dispatched_events_total');
  }

  /**
   * The timer loops for work that no event announces: work that became due, and work that the queue or JetStream lost.
   * A stuck loop does not stop the others.
   */
  tickers(intervalMs: number): readonly Ticker[] {
    return LOOPS.map((loop) => new Ticker(loop, intervalMs, () => this[loop](), this.logger));
  }

  /** Rejects with the loops that have not completed for this long: connections can be open and nothing moves. */
  async checkProgress(longestMs: number): Promise<void> {
    const stuck = LOOPS.filter((loop) => performance.now() - this.endedMs[loop] > longestMs);
    if (stuck.length > 0) throw new Error(`No progress: ${stuck.join(', ')}.`);
  }

  /** An attempt for this endpoint has ended: queue the deliveries that waited for its slot, or for their turn after it. */
  readonly attemptEnded = (endpointId: string, isInOrder: boolean): void => {
    const hasRoom = this.useCases.admitDeliveries.madeRoom(endpointId);
    if (hasRoom || isInOrder) this.soon('admitDeliveries');
  };

  /** Queues in the background; after a failure, the next tick retries. */
  soon(kind: 'admitExtractions' | 'admitDeliveries'): void {
    this[kind]().catch((error: unknown) => this.logger.debug({ err: error }, 'enqueue.failed'));
  }
}
