import type { EventType } from '@turnkeeper/domain';
import type { DispatchCursor } from '../ports/dispatch-cursor.port.js';
import type { EventOutline, EventStore } from '../ports/event-store.port.js';
import type { ExtractionStore, ExtractionTiming, SessionProgress } from '../ports/extraction-store.port.js';
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

/**
 * Turns events of the log into due work. It keeps a cursor that moves in the same transaction as the rows it writes,
 * so each event counts once, whatever is delivered twice or never. Anything may call it at any time.
 */
export class DispatchEvents {
  constructor(
    private readonly deps: {
      readonly unitOfWork: UnitOfWork;
      readonly eventStore: EventStore;
      readonly cursor: DispatchCursor;
      readonly extractions: ExtractionStore;
      readonly planDeliveries: PlanDeliveries;
      readonly timing: ExtractionTiming;
    },
  ) {}

  /** Dispatches everything up to the log's head. */
  async execute(): Promise<Dispatched> {
    let total: Dispatched = NOTHING;
    for (;;) {
      const page = await this.dispatchPage();
      total = {
        events: total.events + page.events,
        extractionsDue: total.extractionsDue || page.extractionsDue,
        deliveriesDue: total.deliveriesDue || page.deliveriesDue,
      };
      if (page.events < PAGE) return total;
    }
  }

  private dispatchPage(): Promise<Dispatched> {
    const { unitOfWork, cursor, eventStore, extractions, planDeliveries, timing } = this.deps;
    return unitOfWork.run(async (tx) => {
      const position = await cursor.lock(tx);
      // Read before the page: what the page does not show up to here has expired or was erased.
      const head = await eventStore.headPosition();
      if (head <= position) return NOTHING;
      const page = await eventStore.readOutline(position, PAGE);
      const last = page.at(-1)?.position ?? position;
      const reached = page.length < PAGE ? Math.max(head, last) : last;
      const extractionsDue = await extractions.note(tx, progressOf(page), timing);
      const news = page.some(isAnnounced) ? await eventStore.readLog(position, PAGE, ANNOUNCED, last) : [];
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
