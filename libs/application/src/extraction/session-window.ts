import { heardTexts, type EventType, type LogEvent, type WindowMessage } from '@turnkeeper/domain';
import { scopeOf, type EventStore } from '../log/event-store.port.js';
import type { ExtractionClaim } from './extraction-claims.port.js';
import { countUserTurns, readableMessages } from './window.js';

export interface WindowSize {
  /** Maximum number of events per run. */
  readonly windowEvents: number;
  /** Approximate maximum size of these events as JSON; at least one event is read. The context gets half of it. */
  readonly windowBytes: number;
  /** Number of events before the window that are passed as context only. */
  readonly contextEvents: number;
}

/** Input of one run of a strategy. */
export interface SessionWindow {
  /** Session sequences, inclusive. */
  readonly fromSequence: number;
  readonly toSequence: number;
  readonly context: readonly WindowMessage[];
  readonly messages: readonly WindowMessage[];
  readonly userTurns: number;
  /** Number of messages, including those without facts. */
  readonly items: number;
  /** What was heard of the messages that the window's interruptions cut, by event id. */
  readonly heard: ReadonlyMap<string, string>;
}

/** Event types that a window reads. Binary events are excluded: they are megabytes without text. */
export const READABLE = [
  'message.appended',
  'message.interrupted',
  'content.submitted',
] as const satisfies readonly EventType[];

/**
 * Reads the next events after the watermark. Expired and erased events leave no gap in the ranges.
 *
 * @param through end of the window, if known from an earlier attempt; null: as far as the size limits allow
 */
export const readSessionWindow = async (
  eventStore: EventStore,
  claim: ExtractionClaim,
  { windowEvents, contextEvents, windowBytes }: WindowSize,
  through: number | null,
): Promise<SessionWindow> => {
  const { watermark, newestSequence, replayThrough } = claim;
  const end = through ?? replayThrough;
  const { events, more } = await eventStore.readSessionPage(scopeOf(claim), {
    after: watermark,
    ...(end === null ? {} : { before: end + 1 }),
    types: READABLE,
    order: 'oldest-first',
    limit: windowEvents,
    // A stored answer covers everything it was shown, regardless of size.
    maxBytes: through === null ? windowBytes : Number.MAX_SAFE_INTEGER,
  });
  const last = events.at(-1)?.sequence ?? watermark;
  const toSequence = more ? last : Math.max(last, newestSequence);
  const before = watermark === 0 ? [] : await readBefore(eventStore, claim, contextEvents, Math.floor(windowBytes / 2));
  return {
    fromSequence: watermark + 1,
    toSequence: through ?? toSequence,
    context: readableMessages(before),
    messages: readableMessages(events),
    userTurns: countUserTurns(events),
    items: events.filter(({ type }) => type === 'message.appended').length,
    heard: heardTexts(events.flatMap((event) => (event.type === 'message.interrupted' ? [event.data] : []))),
  };
};

const readBefore = async (
  eventStore: EventStore,
  claim: ExtractionClaim,
  limit: number,
  maxBytes: number,
): Promise<LogEvent[]> => {
  if (limit === 0) return [];
  const read = { before: claim.watermark + 1, types: READABLE, order: 'newest-first', limit, maxBytes } as const;
  return (await eventStore.readSession(scopeOf(claim), read)).reverse();
};
