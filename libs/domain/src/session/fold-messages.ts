import type { LogEvent } from '../log/log-event.js';
import { originalText } from './heard.js';
import type { HistoryReset } from './session-events.js';

export type MessageEvent = LogEvent<'message.appended'>;

/** Event types that a session's messages are folded from. */
export const MESSAGE_EVENT_TYPES = ['message.appended', 'history.reset'] as const;

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
 * The current messages of part of a session, without those hidden by a reset. Ordered by the log, never by timestamps.
 *
 * @param events in sequence order, as the event store returns them: its messages are as they were heard
 */
export const foldMessages = (events: readonly LogEvent[], hides: ResetView): MessageEvent[] => {
  let messages: MessageEvent[] = [];
  for (const event of events) {
    if (event.type === 'message.appended') messages.push(event);
    else if (event.type === 'history.reset' && hides(event.data)) messages = [];
  }
  return messages;
};

export const originalOf = ({ data }: MessageEvent): string => originalText(data);
