import type { Json, MessageAppended } from '@turnkeeper/domain';
import type { CallEnd } from '@turnkeeper/application';

/** A call without events for this long is treated as ended. */
export const SILENT_END_MS = 3_600_000;
/** How long a message waits for what arrives asynchronously, such as a transcript, before it is stored without. */
export const SETTLE_MS = 30_000;

export interface Received<Event> {
  readonly key: string;
  readonly receivedAt: Date;
  readonly event: Event;
}

/** What is known of the call when its pending events are planned. */
export interface CallState {
  readonly now: Date;
  /** Whether an item's message is in the session already. */
  readonly stored: (itemId: string) => boolean;
  /** Metadata of the messages in the session. */
  readonly held: readonly { readonly [key: string]: Json }[];
  readonly isClosed: boolean;
}

/** The next steps of a call. */
export interface CallPlan {
  /** In the order of the conversation. */
  readonly messages: readonly {
    readonly itemId: string;
    readonly message: MessageAppended;
    /** The platform's time (ISO 8601), if it tells one. */
    readonly saidAt?: string | undefined;
  }[];
  /** Messages that were cut short (how much was heard is unknown) or deleted after they were stored. */
  readonly cuts: readonly { readonly itemId: string; readonly isDeleted: boolean }[];
  /** Keys of events that need no more processing. */
  readonly settled: readonly string[];
  readonly end: CallEnd | null;
  /** When to look again if nothing arrives; null for never. */
  readonly nextAt: Date | null;
  /** Nothing shows that there is a call: no agent is started for it. */
  readonly isEmpty?: boolean;
}

export const later = (date: Date, ms: number): Date => new Date(date.getTime() + ms);
export const earliest = (dates: readonly (Date | null)[]): Date | null =>
  dates.reduce((first, date) => (date !== null && (first === null || date < first) ? date : first), null);

/** When the newest event was received. */
const lastOf = (events: readonly Received<unknown>[]): Date | null =>
  events.reduce<Date | null>((last, { receivedAt }) => (last === null || receivedAt > last ? receivedAt : last), null);

/** When the call has been without events for too long; null if it has none. */
export const silentEndOf = (events: readonly Received<unknown>[]): Date | null => {
  const lastAt = lastOf(events);
  return lastAt === null ? null : later(lastAt, SILENT_END_MS);
};

/**
 * Whether the call is over, and what is kept until then.
 *
 * @param events in any order
 * @param call.waitsUntil when the first message that waits is stored; null if none waits
 * @param call.end what the platform said about the end; null: nothing yet
 */
export const endOf = (
  events: readonly Received<unknown>[],
  { now, isClosed }: Pick<CallState, 'now' | 'isClosed'>,
  { waitsUntil, end }: { readonly waitsUntil: Date | null; readonly end: CallEnd | null },
): Pick<CallPlan, 'end' | 'nextAt'> & { readonly isOver: boolean; readonly isNewest: (at: Date) => boolean } => {
  const [lastAt, silentEnd] = [lastOf(events), silentEndOf(events)];
  const isSilent = end === null && silentEnd !== null && silentEnd <= now;
  const isOver = !isClosed && waitsUntil === null && (end !== null || isSilent);
  return {
    isOver,
    end: isOver ? (end ?? { isFailure: false, reason: 'silent' }) : null,
    nextAt: isClosed || isOver ? waitsUntil : (waitsUntil ?? silentEnd),
    // Without an end, the newest event stays for the time of the last sign of life.
    isNewest: (at) => end === null && at.getTime() === lastAt?.getTime(),
  };
};
