import type { EventType, LogEvent } from '@turnkeeper/domain';
import type { DispatchCursor } from '../ports/dispatch-cursor.port.js';
import type { EventOutline, EventStore } from '../ports/event-store.port.js';
import type { ExtractionStore, ExtractionTiming, SessionProgress } from '../ports/extraction-store.port.js';
import type { ParkedItem, ParkingLot } from '../ports/parking-lot.port.js';
import type { UnitOfWork } from '../ports/transaction.port.js';
import { ANNOUNCED, isAnnounced, type PlanDeliveries } from '../webhooks/plan-deliveries.js';

const PAGE = 1_000;
/** Bytes of announced events in a page. */
const PAGE_BYTES = 8 * 1_048_576;
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

/** Runs in which one event fails before it is parked. */
const MOST_FAILURES = 3;
/** The same where it takes too long each time, which a slow database may be to blame for. */
const MOST_TIMEOUTS = 5;

/**
 * Turns events of the log into due work. It keeps a cursor that moves in the same transaction as the rows it writes,
 * so each event counts once, even if it is delivered twice or not at all. It may be called at any time.
 *
 * A page is read before the cursor is locked, because the lock is short-lived: reads may take longer. It counts only if
 * the cursor is still where the page began.
 *
 * A page that fails or takes too long is made smaller until the event is found that fails; when that one fails repeatedly
 * for a reason of its own, it is parked and the cursor passes it.
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
      /** True of a page that took too long: a smaller one may not. */
      readonly isTooSlow: (error: unknown) => boolean;
      /** Told about every event that was parked. */
      readonly onParked?: (item: ParkedItem) => void;
    },
  ) {}

  private pageSize = PAGE;
  private failing = { position: -1, times: 0 };

  /** Dispatches everything up to the log's head. */
  async execute(): Promise<Dispatched> {
    const { extractions, timing } = this.deps;
    let total: Dispatched = { events: 0, deliveriesDue: false, extractionsDue: await extractions.noteDeferred(timing) };
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
      if (!page.more) return total;
    }
  }

  /** Makes the page that failed smaller, or parks its only event. Rethrows failures that no event caused. */
  private async narrow(error: unknown): Promise<null> {
    const { isLasting, isTooSlow, cursor } = this.deps;
    const isSlow = isTooSlow(error);
    if (!isSlow && !isLasting(error)) throw error;
    if (this.pageSize > 1) {
      this.pageSize = Math.ceil(this.pageSize / 8);
      return null;
    }
    // Also shows that the database answers: where it does not, this is what throws, and nothing is parked.
    const position = await cursor.position();
    this.failing = { position, times: this.failing.position === position ? this.failing.times + 1 : 1 };
    if (this.failing.times < (isSlow ? MOST_TIMEOUTS : MOST_FAILURES)) throw error;
    await this.park(position, error);
    return null;
  }

  private async park(after: number, error: unknown): Promise<void> {
    const { eventStore, parkingLot, unitOfWork, cursor, onParked } = this.deps;
    // What cannot even be read is the next position, or one that is behind positions that nothing is left of.
    const [event] = await eventStore.readOutline(after, 1).catch(() => [{ position: after + 1 }]);
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

  /** Resolves to null when another worker dispatched the page meanwhile. */
  private async dispatchPage(size: number): Promise<(Dispatched & Pick<Page, 'more'>) | null> {
    const { unitOfWork, cursor, extractions, planDeliveries, timing } = this.deps;
    const position = await cursor.position();
    const page = await this.readPage(position, size);
    if (page === null) return NOTHING;
    return unitOfWork.run(async (tx) => {
      if ((await cursor.lock(tx)) !== position) return null;
      const extractionsDue = await extractions.note(tx, progressOf(page.outlines), timing);
      const deliveries = await planDeliveries.execute(tx, page.news);
      await cursor.advance(tx, page.reached);
      return { events: page.outlines.length, more: page.more, extractionsDue, deliveriesDue: deliveries > 0 };
    });
  }

  /** The events behind the position, or null when there are none. */
  private async readPage(position: number, size: number): Promise<Page | null> {
    const { eventStore } = this.deps;
    // Read before the page: what the page does not show up to here has expired or was erased.
    const head = await eventStore.headPosition();
    if (head <= position) return null;
    const outlines = await eventStore.readOutline(position, size);
    const last = outlines.at(-1)?.position ?? position;
    const whole = { outlines, news: [], reached: outlines.length < size ? Math.max(head, last) : last };
    const more = outlines.length === size;
    if (!outlines.some(isAnnounced)) return { ...whole, more };
    const { events: news, more: isCut } = await eventStore.readLogPage(position, {
      ...{ limit: size, maxBytes: PAGE_BYTES, types: ANNOUNCED, through: last },
    });
    const cut = news.at(-1)?.position;
    if (!isCut || cut === undefined) return { ...whole, news, more };
    return { outlines: outlines.filter((event) => event.position <= cut), news, reached: cut, more: true };
  }
}

/** A part of the log, as the dispatcher needs it. */
interface Page {
  readonly outlines: readonly EventOutline[];
  /** Those among them that endpoints are told about, with their bodies. */
  readonly news: readonly LogEvent[];
  /** Where the cursor goes. */
  readonly reached: number;
  readonly more: boolean;
}

const NOTHING = { events: 0, more: false, extractionsDue: false, deliveriesDue: false };

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
