import type { LogEvent } from '../log/log-event.js';
import type { HistoryReset, MessageAppended, MessageInterrupted } from './session-events.js';

export type MessageEvent = LogEvent<'message.appended'>;

/** The kinds of events that a session's messages are folded from. */
export const MESSAGE_EVENT_TYPES = ['message.appended', 'message.interrupted', 'history.reset'] as const;

/** Which resets hide what came before them from a reader. */
export type ResetView = (reset: HistoryReset) => boolean;

/** The whole history, hidden or not. */
export const everything: ResetView = () => false;

/** The session's own view: an agent's reset of its window means nothing to others. */
export const sessionView: ResetView = (reset) => reset.agentId === null;

/** An agent's view: its own resets count, and the session's. */
export const agentView =
  (agentId: string): ResetView =>
  (reset) =>
    reset.agentId === null || reset.agentId === agentId;

/**
 * The messages of a stretch of a session as they stand: cut to what was heard where they were interrupted later, and
 * without those that a reset has hidden. Their order is the log's, whatever their stamps say.
 *
 * @param events in sequence order. An interruption whose message lies outside of the stretch has no effect.
 */
export const foldMessages = (events: readonly LogEvent[], hides: ResetView): MessageEvent[] => {
  let messages: MessageEvent[] = [];
  for (const event of events) {
    if (event.type === 'message.appended') messages.push(event);
    else if (event.type === 'history.reset' && hides(event.data)) messages = [];
    else if (event.type === 'message.interrupted') cut(messages, event.data);
  }
  return messages;
};

const cut = (messages: MessageEvent[], interruption: MessageInterrupted): void => {
  // From the end: it is the newest message nearly always.
  const index = messages.findLastIndex((message) => message.eventId === interruption.messageEventId);
  const message = messages[index];
  if (message !== undefined) messages[index] = interrupted(message, interruption);
};

/** The message as it was heard. What the model wrote stays in `original`, also when it is cut a second time. */
export const interrupted = (message: MessageEvent, { heard, interruptTimestamp }: MessageInterrupted): MessageEvent => {
  const { data } = message;
  const metadata = {
    ...data.metadata,
    interrupted: true,
    ...(interruptTimestamp === undefined ? {} : { interrupt_timestamp: interruptTimestamp }),
    original: originalOf(message),
  };
  return { ...message, data: { ...data, content: heard ?? data.content, metadata } };
};

/** What the model wrote: more than `content` where the message was interrupted. */
export const originalText = ({ content, metadata = {} }: Pick<MessageAppended, 'content' | 'metadata'>): string =>
  metadata['interrupted'] === true && typeof metadata['original'] === 'string' ? metadata['original'] : content;

export const originalOf = ({ data }: MessageEvent): string => originalText(data);
