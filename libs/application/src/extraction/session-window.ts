import type { EventType, LogEvent, WindowMessage } from '@turnkeeper/domain';
import type { EventStore, SessionScope } from '../ports/event-store.port.js';
import type { ExtractionClaim } from '../ports/extraction-store.port.js';
import { countUserTurns, readableWindow } from './window.js';

export interface WindowSize {
  /** Most events that one run reads. */
  readonly windowEvents: number;
  /** About how large these may be, as JSON; one event at least is read. Context has half as much. */
  readonly windowBytes: number;
  /** Events before the window that are shown for understanding only. */
  readonly contextEvents: number;
}

/** What one run of a strategy reads of a session. */
export interface SessionWindow {
  /** Session sequences, both included. */
  readonly fromSequence: number;
  readonly toSequence: number;
  readonly context: readonly WindowMessage[];
  readonly messages: readonly WindowMessage[];
  readonly userTurns: number;
  /** Messages, those that carry no facts included. */
  readonly items: number;
}

/** The events that a window is made of. Binaries are megabytes without a word in them. */
const READABLE = [
  'message.appended',
  'message.interrupted',
  'content.submitted',
] as const satisfies readonly EventType[];

/**
 * Reads the next events after the watermark. What expired or was erased among them leaves no gap in the ranges.
 *
 * @param through the window's end, where it is known from an earlier try; null: as far as the size allows
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
    // An answer of an earlier try is about all that it was shown.
    maxBytes: through === null ? windowBytes : Number.MAX_SAFE_INTEGER,
  });
  const last = events.at(-1)?.sequence ?? watermark;
  const toSequence = more ? last : Math.max(last, newestSequence);
  const before = watermark === 0 ? [] : await readBefore(eventStore, claim, contextEvents, Math.floor(windowBytes / 2));
  return {
    fromSequence: watermark + 1,
    toSequence: through ?? toSequence,
    ...readableWindow(before, events),
    userTurns: countUserTurns(events),
    items: events.filter(({ type }) => type === 'message.appended').length,
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

export const scopeOf = ({ tenantId, memoryId, actorId, sessionId }: ExtractionClaim): SessionScope => ({
  tenantId,
  memoryId,
  actorId,
  sessionId,
});
