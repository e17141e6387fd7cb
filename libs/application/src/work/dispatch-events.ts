import type { EventType } from '@turnkeeper/domain';
import type { DispatchCursor } from '../ports/dispatch-cursor.port.js';
import type { EventOutline, EventStore } from '../ports/event-store.port.js';
import type { ExtractionStore, ExtractionTiming, SessionProgress } from '../ports/extraction-store.port.js';
import type { ParkedItem, ParkingLot } from '../ports/parking-lot.port.js';
import type { UnitOfWork } from '../ports/transaction.port.js';
import { ANNOUNCED, isAnnounced, type PlanDeliveries } from '../webhooks/plan-deliveries.js';

const PAGE = 1_000;
const ENDS_AGENT: ReadonlySet<EventType> = new Set(['agent.stopped', 'agent.failed']);

/** What a run of the dispatcher came to. */
export interface Dispatched {
  /** Events that it turned into work. */
  readonly events: number;
  /** True when sessions became due for extraction, or are still. */
  readonly extractionsDue: boolean;
  /** True when deliveries were written. */
  readonly deliveriesDue: boolean;
}

/** Runs in which one event fails before it is set aside. */
const MOST_FAILURES = 3;

/**
 * Turns events of the log into due work. It keeps a cursor that moves in the same transaction as the rows it writes,
 * so each event counts once, whatever is delivered twice or never. Anything may call it at any time.
 *
 * A page that fails is made smaller until the event is found that fails; when that one fails time and again for a reason
 * of its own, it is parked and the cursor passes it.
 */
export class DispatchEvents {
  constructor(
    private readonly deps: {
      readonly unitOfWork: UnitOfWork;
      readonly eventStore: EventStore;
      readonly cursor: DispatchCursor;
      readonly extractions: ExtractionStore;
      readonly planDeliveries: Pick<PlanDeliveries, 'execute'>;
      readonly timing: ExtractionTiming;
      readonly parkingLot: ParkingLot;
      /** True of a failure that says something about the event; false of one of the database or the network. */
      readonly isLasting: (error: unknown) => boolean;
      /** Told about every event that was parked. */
      readonly onParked?: (item: ParkedItem) => void;
    },
  ) {}

  private pageSize = PAGE;
  private failing = { position: -1, times: 0 };

  /** Dispatches everything up to the log's head. */
  async execute(): Promise<Dispatched> {
    const { extractions, timing } = this.deps;
    let total: Dispatched = { ...NOTHING, extractionsDue: await extractions.noteDeferred(timing) };
    for (;;) {
      const size = this.pageSize;
      const page = await this.dispatchPage(size).catch((error: unknown) => this.narrow(error));
      if (page === null) continue;
      this.pageSize = Math.min(size * 2, PAGE);
      total = {
        events: total.events + page.events,
        extractionsDue: total.extractionsDue || page.extractionsDue,
        deliveriesDue: total.deliveriesDue || page.deliveriesDue,
      };
      if (page.events < size) return total;
    }
  }

  /** Makes the page smaller that failed, or sets the one event aside. Rethrows what is no fault of an event. */
  private async narrow(error: unknown): Promise<null> {
    const { isLasting, cursor } = this.deps;
    if (!isLasting(error)) throw error;
    if (this.pageSize > 1) {
      this.pageSize = Math.ceil(this.pageSize / 8);
      return null;
    }
    const position = await cursor.position();
    this.failing = { position, times: this.failing.position === position ? this.failing.times + 1 : 1 };
    if (this.failing.times < MOST_FAILURES) throw error;
    await this.park(position, error);
    return null;
  }

  private async park(after: number, error: unknown): Promise<void> {
    const { eventStore, parkingLot, unitOfWork, cursor, onParked } = this.deps;
    const [event] = await eventStore.readOutline(after, 1);
    if (event === undefined) return;
    const item: ParkedItem = {
      source: 'dispatch',
      itemId: String(event.position),
      code: 'dispatch.event_failed',
      error: error instanceof Error ? error.name : 'Error',
      payload: JSON.stringify(event),
      attempts: this.failing.times,
    };
    await parkingLot.park(item);
    await unitOfWork.run(async (tx) => {
      // Another worker may have passed it meanwhile.
      if ((await cursor.lock(tx)) === after) await cursor.advance(tx, event.position);
    });
    onParked?.(item);
  }

  private dispatchPage(size: number): Promise<Dispatched> {
    const { unitOfWork, cursor, eventStore, extractions, planDeliveries, timing } = this.deps;
    return unitOfWork.run(async (tx) => {
      const position = await cursor.lock(tx);
      // Read before the page: what the page does not show up to here has expired or was erased.
      const head = await eventStore.headPosition();
      if (head <= position) return NOTHING;
      const page = await eventStore.readOutline(position, size);
      const last = page.at(-1)?.position ?? position;
      const reached = page.length < size ? Math.max(head, last) : last;
      const extractionsDue = await extractions.note(tx, progressOf(page), timing);
      const news = page.some(isAnnounced) ? await eventStore.readLog(position, size, ANNOUNCED, last) : [];
      const deliveries = await planDeliveries.execute(tx, news);
      await cursor.advance(tx, reached);
      return { events: page.length, extractionsDue, deliveriesDue: deliveries > 0 };
    });
  }
}

const NOTHING: Dispatched = { events: 0, extractionsDue: false, deliveriesDue: false };

/** Sums up what a page of the log says about each session. */
export const progressOf = (events: readonly EventOutline[]): SessionProgress[] => {
  const sessions = new Map<number, SessionProgress>();
  for (const event of events) {
    if (event.sessionKey === null || event.sequence === null) continue;
    const known = sessions.get(event.sessionKey);
    sessions.set(event.sessionKey, {
      sessionKey: event.sessionKey,
      newestSequence: Math.max(known?.newestSequence ?? 0, event.sequence),
      userTurns: (known?.userTurns ?? 0) + (event.isUserTurn ? 1 : 0),
      flushThrough: ENDS_AGENT.has(event.type) ? event.sequence : (known?.flushThrough ?? null),
    });
  }
  return [...sessions.values()];
};
