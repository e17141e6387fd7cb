import {
  foldMessages,
  MESSAGE_EVENT_TYPES,
  newestWindow,
  type LogEvent,
  type MessageEvent,
  type ResetView,
} from '@turnkeeper/domain';
import type { EventStore, SessionScope } from '../ports/event-store.port.js';

/** What of a session is wanted. */
export interface WindowWish {
  /** Most messages. */
  readonly size: number;
  /** Whose resets count. */
  readonly hides: ResetView;
  /** The reader's own messages come after this sequence. Default 0. */
  readonly after?: number;
  /** And lie before this one. */
  readonly before?: number;
  /** How many messages up to `after` belong to it as well, newest first. Default 0. */
  readonly loadHistory?: number;
}

/** Read beyond what is wanted, for interruptions between the messages. */
const SLACK = 16;
/** Events that are looked at before giving up on filling a window: a session may hold nothing that fits one. */
const MOST_EVENTS = 20_000;
/** Most bytes of events (as JSON) of one window: older messages beyond it are left out. */
const MOST_BYTES = 16 * 1_048_576;

/**
 * The newest messages of a session as they stand, oldest first, whole tool-call groups only. Reads from the end and as
 * much as it needs, so the length of the session does not matter.
 */
export const readWindow = async (
  eventStore: EventStore,
  scope: SessionScope,
  wish: WindowWish,
): Promise<readonly MessageEvent[]> => {
  const window = await readFolded(eventStore, scope, wish, (messages) => newestWindow(messages, wish.size));
  return window.messages;
};

/** The newest messages as they stand, oldest first, whatever they are: groups may be parted. */
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
  let room = MOST_BYTES;
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
    if (!result.hasRoom || complete || events.length >= MOST_EVENTS) return result;
    before = page.at(-1)?.sequence ?? 0;
  }
};
