import {
  foldMessages,
  MESSAGE_EVENT_TYPES,
  newestWindow,
  type LogEvent,
  type MessageEvent,
  type ResetView,
} from '@turnkeeper/domain';
import type { EventStore, SessionScope } from '../log/event-store.port.js';

/** Selects messages of a session. */
export interface WindowWish {
  /** Maximum number of messages. */
  readonly size: number;
  /** Which resets hide earlier messages. */
  readonly hides: ResetView;
  /** Exclusive lower bound of the reader's own sequences. Default: 0. */
  readonly after?: number;
  /** Exclusive upper bound of the sequences. */
  readonly before?: number;
  /** Number of messages up to `after` to include, newest first. Default: 0. */
  readonly loadHistory?: number;
}

/** Extra events to read, for resets between the messages. */
const SLACK = 4;
/** Maximum number of events scanned to fill a window: a session may hold nothing that fits. */
const MAX_EVENTS = 20_000;
/** Maximum bytes of a window's events (as JSON); older messages are omitted. */
const MAX_BYTES = 16 * 1_048_576;

/**
 * The newest messages of a session in their current state, oldest first, with complete tool-call groups only. Reads
 * backwards from the end, so the cost does not depend on the session's length.
 */
export const readWindow = async (
  eventStore: EventStore,
  scope: SessionScope,
  wish: WindowWish,
): Promise<readonly MessageEvent[]> => {
  const window = await readFolded(eventStore, scope, wish, (messages) => newestWindow(messages, wish.size));
  return window.messages;
};

/** The newest messages in their current state, oldest first. Tool-call groups may be incomplete. */
export const readNewest = async (
  eventStore: EventStore,
  scope: SessionScope,
  wish: WindowWish,
): Promise<readonly MessageEvent[]> => {
  const newest = await readFolded(eventStore, scope, wish, (messages) => ({
    messages: wish.size <= 0 ? [] : messages.slice(-wish.size),
    hasRoom: messages.length < wish.size,
  }));
  return newest.messages;
};

const readFolded = async <T extends { readonly hasRoom: boolean }>(
  eventStore: EventStore,
  scope: SessionScope,
  wish: WindowWish,
  cut: (messages: readonly MessageEvent[]) => T,
): Promise<T> => {
  const { hides, after = 0, loadHistory = 0 } = wish;
  const limit = Math.max(wish.size, 1) + SLACK;
  let events: LogEvent[] = [];
  let room = MAX_BYTES;
  for (let before = wish.before; ;) {
    const {
      events: page,
      bytes,
      more,
    } = await eventStore.readSessionPage(scope, {
      types: MESSAGE_EVENT_TYPES,
      order: 'newest-first',
      limit,
      maxBytes: room,
      ...(loadHistory === 0 ? { after } : {}),
      ...(before === undefined ? {} : { before }),
    });
    events = [...page.toReversed(), ...events];
    room -= bytes;
    const messages = foldMessages(events, hides);
    const own = messages.filter((message) => (message.sequence ?? 0) > after);
    const earlier = messages.slice(0, messages.length - own.length);
    const loaded = loadHistory === 0 ? [] : earlier.slice(-loadHistory);
    const result = cut([...loaded, ...own]);
    const complete =
      !more ||
      room <= 0 ||
      earlier.length > loadHistory ||
      page.some((event) => event.type === 'history.reset' && hides(event.data));
    if (!result.hasRoom || complete || events.length >= MAX_EVENTS) return result;
    before = page.at(-1)?.sequence ?? 0;
  }
};
