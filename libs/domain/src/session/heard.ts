import type { LogEvent } from '../log/log-event.js';
import { plainText } from '../text/exact-json.js';
import type { MessageAppended, MessageInterrupted } from './session-events.js';

/**
 * A message as it was heard: `content` is what its interruptions left of it. This is the text that every reader of a
 * conversation shows, searches and extracts from. `metadata.original` keeps the generated text, even if the message is
 * cut twice.
 *
 * @param interruptions those that name the message, in the order of the session
 */
export const asHeard = (
  message: LogEvent<'message.appended'>,
  interruptions: readonly MessageInterrupted[],
): LogEvent<'message.appended'> => interruptions.reduce(cut, message);

const cut = (
  message: LogEvent<'message.appended'>,
  { heard, interruptTimestamp }: MessageInterrupted,
): LogEvent<'message.appended'> => {
  const { data } = message;
  const metadata = {
    ...data.metadata,
    interrupted: true,
    ...(interruptTimestamp === undefined ? {} : { interrupt_timestamp: interruptTimestamp }),
    original: originalText(data),
  };
  return { ...message, data: { ...data, content: heard ?? data.content, metadata } };
};

/** The generated text: longer than `content` if the message was interrupted. */
export const originalText = ({ content, metadata = {} }: Pick<MessageAppended, 'content' | 'metadata'>): string =>
  metadata['interrupted'] === true && typeof metadata['original'] === 'string'
    ? plainText(metadata['original'])
    : content;

/** Whether more of a message is given than may have been heard: it was cut off at an unknown place. */
export const isCutSomewhere = (message: Pick<MessageAppended, 'content' | 'metadata'>): boolean =>
  message.metadata?.['interrupted'] === true && originalText(message) === message.content;

/** What interruptions left of messages, by the id of the message; without those of which that is unknown. */
export const heardTexts = (interruptions: readonly MessageInterrupted[]): ReadonlyMap<string, string> =>
  new Map(interruptions.flatMap(({ messageEventId, heard }) => (heard === null ? [] : [[messageEventId, heard]])));
