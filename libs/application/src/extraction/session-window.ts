import type { LogEvent, WindowMessage } from '@turnkeeper/domain';
import type { EventStore, SessionScope } from '../ports/event-store.port.js';
import type { ExtractionClaim } from '../ports/extraction-store.port.js';
import { countUserTurns, readableWindow } from './window.js';

export interface WindowSize {
  /** Most events that one run reads. */
  readonly windowEvents: number;
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

/**
 * Reads the next events after the watermark. What expired or was erased among them leaves no gap in the ranges.
 *
 * @param through the window's end, where it is known from an earlier try; null: as far as the size allows
 */
export const readSessionWindow = async (
  eventStore: EventStore,
  claim: ExtractionClaim,
  { windowEvents, contextEvents }: WindowSize,
  through: number | null,
): Promise<SessionWindow> => {
  const { watermark, newestSequence } = claim;
  const events = await eventStore.readSession(scopeOf(claim), {
    after: watermark,
    ...(through === null ? {} : { before: through + 1 }),
    order: 'oldest-first',
    limit: windowEvents,
  });
  const last = events.at(-1)?.sequence ?? watermark;
  const toSequence = events.length < windowEvents ? Math.max(last, newestSequence) : last;
  const before = watermark === 0 ? [] : await readBefore(eventStore, claim, contextEvents);
  return {
    fromSequence: watermark + 1,
    toSequence: through ?? toSequence,
    ...readableWindow(before, events),
    userTurns: countUserTurns(events),
    items: events.filter(({ type }) => type === 'message.appended').length,
  };
};

const readBefore = async (eventStore: EventStore, claim: ExtractionClaim, limit: number): Promise<LogEvent[]> => {
  if (limit === 0) return [];
  const read = { before: claim.watermark + 1, order: 'newest-first', limit } as const;
  return (await eventStore.readSession(scopeOf(claim), read)).reverse();
};

export const scopeOf = ({ tenantId, memoryId, actorId, sessionId }: ExtractionClaim): SessionScope => ({
  tenantId,
  memoryId,
  actorId,
  sessionId,
});
