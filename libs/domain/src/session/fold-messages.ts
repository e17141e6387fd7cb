import type { LogEvent } from '../log/log-event.js';
import type { HistoryReset, MessageAppended, MessageInterrupted } from './session-events.js';

export type MessageEvent = LogEvent<'message.appended'>;

/** Event types that a session's messages are folded from. */
export const MESSAGE_EVENT_TYPES = ['message.appended', 'message.interrupted', 'history.reset'] as const;

/** Decides whether a reset hides earlier messages from the reader. */
export type ResetView = (reset: HistoryReset) => boolean;

/** The whole history, ignoring resets. */
export const everything: ResetView = () => false;

/** The session's own view: resets of an agent's window are ignored. */
export const sessionView: ResetView = (reset) => reset.agentId === null;

/** An agent's view: resets of its own window and of the session apply. */
export const agentView =
  (agentId: string): ResetView =>
  (reset) =>
    reset.agentId === null || reset.agentId === agentId;

/**
 * The current messages of part of a session: cut to what was heard if they were interrupted later, without those hidden
 * by a reset. Ordered by the log, never by timestamps.
 *
 * @param events in sequence order. An interruption whose message is not among them has no effect.
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
  // Searched from the end, because it is nearly always the newest message.
  const index = messages.findLastIndex((message) => message.eventId === interruption.messageEventId);
  const message = messages[index];
  if (message !== undefined) messages[index] = interrupted(message, interruption);
};

/** The message as it was heard. `original` keeps the generated text, even if the message is cut twice. */
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

/** The generated text: longer than `content` if the message was interrupted. */
export const originalText = ({ content, metadata = {} }: Pick<MessageAppended, 'content' | 'metadata'>): string =>
  metadata['interrupted'] === true && typeof metadata['original'] === 'string' ? metadata['original'] : content;

export const originalOf = ({ data }: MessageEvent): string => originalText(data);
