import type { EventType, LogEvent } from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import type { EventOutline } from '../log/event-store.port.js';
import type { ExtractionTiming, SessionProgress } from '../extraction/extraction-schedule.port.js';
import type { ParkedItem } from './parking-lot.port.js';
import type { WithdrawUnheard } from '../extraction/withdraw-unheard.js';
import { ANNOUNCED, isAnnounced, type PlanDeliveries } from '../webhooks/plan-deliveries.js';

const PAGE = 1_000;
/** Maximum bytes of events that trigger webhooks in a page. */
const PAGE_BYTES = 8 * 1_048_576;
const ENDS_AGENT: ReadonlySet<EventType> = new Set(['agent.stopped', 'agent.failed']);

/** Result of one run of the dispatcher. */
export interface Dispatched {
  /** Number of dispatched events. */
  readonly events: number;
  /** Number of them that have a sequence: appended by callers, not derived from other events. */
  readonly turns: number;
  /** True if sessions are due for extraction. */
  readonly extractionsDue: boolean;
  /** True if deliveries were inserted. */
  readonly deliveriesDue: boolean;
}

/** Failures of one event before it is parked. */
const MAX_FAILURES = 3;
/** Timeouts of one event before it is parked. Higher, because a slow database may be the cause. */
const MAX_TIMEOUTS = 5;

/**
 * Turns events of the log into due work. The cursor advances in the same transaction as the rows are written, so each
 * event is dispatched exactly once, even if its notice is delivered twice or not at all. Safe to call at any time.
 *
 * Pages are read before the cursor is locked, to keep the lock short. A page is used only if the cursor has not moved
 * since.
 *
 * A page that fails or times out is split until the failing event is found. If that event keeps failing for a reason of
 * its own, it is parked and skipped.
 */
export class DispatchEvents {
  constructor(
    private readonly deps: Pick<Ports, 'unitOfWork' | 'eventStore' | 'cursor' | 'extractionSchedule' | 'parkingLot'> & {
      readonly planDeliveries: Pick<PlanDeliveries, 'execute'>;
      readonly withdrawUnheard: Pick<WithdrawUnheard, 'execute'>;
      readonly timing: ExtractionTiming;
      /** True if the event itself caused the failure, false for database and network failures. */
      readonly isLasting: (error: unknown) => boolean;
      /** True if the page timed out; a smaller one may succeed. */
      readonly isTooSlow: (error: unknown) => boolean;
      /** Called for every parked event. */
      readonly onParked?: (item: ParkedItem) => void;
    },
  ) {}

  private pageSize = PAGE;
  private failing = { position: -1, times: 0 };

  /** Dispatches all events up to the head of the log. */
  async execute(): Promise<Dispatched> {
    const { extractionSchedule, timing } = this.deps;
    let total: Dispatched = {
      events: 0,
      turns: 0,
      deliveriesDue: false,
      extractionsDue: await extractionSchedule.noteDeferred(timing),
    };
    for (;;) {
      const size = this.pageSize;
      const page = await this.dispatchPage(size).catch((error: unknown) => this.narrow(error));
      if (page === null) continue;
      this.pageSize = Math.min(size * 2, PAGE);
      total = {
        events: total.events + page.events,
        turns: total.turns + page.turns,
        extractionsDue: total.extractionsDue || page.extractionsDue,
        deliveriesDue: total.deliveriesDue || page.deliveriesDue,
      };
      if (!page.more) return total;
    }
  }

  /** Shrinks the failed page, or parks its only event. Rethrows failures that were not caused by an event. */
  private async narrow(error: unknown): Promise<null> {
    const { isLasting, isTooSlow, cursor } = this.deps;
    const isSlow = isTooSlow(error);
    if (!isSlow && !isLasting(error)) throw error;
    if (this.pageSize > 1) {
      this.pageSize = Math.ceil(this.pageSize / 8);
      return null;
    }
    // Also checks that the database responds: if not, this throws and nothing is parked.
    const position = await cursor.position();
    this.failing = { position, times: this.failing.position === position ? this.failing.times + 1 : 1 };
    if (this.failing.times < (isSlow ? MAX_TIMEOUTS : MAX_FAILURES)) throw error;
    await this.park(position, error);
    return null;
  }

  private async park(after: number, error: unknown): Promise<void> {
    const { eventStore, parkingLot, unitOfWork, cursor, onParked } = this.deps;
    // An unreadable event is at the next position, or after positions whose events are all gone.
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
      // Another worker may have advanced the cursor in the meantime.
      if ((await cursor.lock(tx)) === after) await cursor.advance(tx, event.position);
    });
    onParked?.(item);
  }

  /** Resolves to null if another worker dispatched the page in the meantime. */
  private async dispatchPage(size: number): Promise<(Dispatched & Pick<Page, 'more'>) | null> {
    const { unitOfWork, cursor, extractionSchedule, planDeliveries, timing } = this.deps;
    const position = await cursor.position();
    const page = await this.readPage(position, size);
    if (page === null) return NOTHING;
    await this.withdrawUnheard(position, page);
    return unitOfWork.run(async (tx) => {
      if ((await cursor.lock(tx)) !== position) return null;
      const extractionsDue = await extractionSchedule.note(tx, progressOf(page.outlines), timing);
      const deliveries = await planDeliveries.execute(tx, page.news);
      await cursor.advance(tx, page.reached);
      const turns = page.outlines.filter(({ sequence }) => sequence !== null).length;
      return { events: page.outlines.length, turns, more: page.more, extractionsDue, deliveriesDue: deliveries > 0 };
    });
  }

  /** Before the cursor advances, so that it is repeated after a crash; a second time finds nothing. */
  private async withdrawUnheard(position: number, { outlines, reached }: Page): Promise<void> {
    const { eventStore, withdrawUnheard } = this.deps;
    const count = outlines.filter(({ type }) => type === 'message.interrupted').length;
    if (count === 0) return;
    const events = await eventStore.readLog(position, count, ['message.interrupted'], reached);
    await withdrawUnheard.execute(events as LogEvent<'message.interrupted'>[]);
  }

  /** The events after the position; null if there are none. */
  private async readPage(position: number, size: number): Promise<Page | null> {
    const { eventStore } = this.deps;
    // Read before the page: positions up to here that are not in the page have expired or were erased.
    const head = await eventStore.headPosition();
    if (head <= position) return null;
    const outlines = await eventStore.readOutline(position, size);
    const last = outlines.at(-1)?.position ?? position;
    const whole = { outlines, news: [], reached: outlines.length < size ? Math.max(head, last) : last };
    const more = outlines.length === size;
    if (!outlines.some(isAnnounced)) return { ...whole, more };
    const { events: news, more: isCut } = await eventStore.readLogPage(position, {
      limit: size,
      maxBytes: PAGE_BYTES,
      types: ANNOUNCED,
      through: last,
    });
    const cut = news.at(-1)?.position;
    if (!isCut || cut === undefined) return { ...whole, news, more };
    return { outlines: outlines.filter((event) => event.position <= cut), news, reached: cut, more: true };
  }
}

/** A page of the log as needed by the dispatcher. */
interface Page {
  readonly outlines: readonly EventOutline[];
  /** Those that trigger webhooks, with their bodies. */
  readonly news: readonly LogEvent[];
  /** The cursor's next position. */
  readonly reached: number;
  readonly more: boolean;
}

const NOTHING = { events: 0, turns: 0, more: false, extractionsDue: false, deliveriesDue: false };

/** Summarizes a page of the log per session. */
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
