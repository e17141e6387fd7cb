import type { Agent } from '../agent/agent.js';
import type { LogEvent } from '../log/log-event.js';
import { writeJson } from '../text/exact-json.js';

/** A body that is stored and resent unchanged. */
export interface HistoryBody {
  /** JSON text. Its UTF-8 bytes are signed and sent. */
  readonly body: string;
  /** Total number of this agent's messages; `includedCount` is the number in the body. */
  readonly messageCount: number;
  readonly includedCount: number;
  readonly truncated: boolean;
}

/** Input of a history message. `agent` is stopped; `messages` are its own, in sequence order. */
export interface HistoryInput {
  readonly agent: Agent;
  readonly messages: readonly LogEvent<'message.appended'>[];
  /** Maximum body size in bytes. A longer history is cut to its newest messages and links to the whole. */
  readonly maxBytes: number;
  /** Returns the URL of the whole history; called only if the body cannot hold it. */
  readonly link: (range: SequenceRange) => string;
}

/** Session sequences, both included. */
export interface SequenceRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The messages of an agent's run: those of its session between its start and its stop. Without a stop sequence, the
 * range has no upper end.
 */
export const messagesOfAgent = (
  agent: Agent,
  events: readonly LogEvent<'message.appended'>[],
): LogEvent<'message.appended'>[] =>
  events.filter(({ sequence }) => {
    const at = sequence ?? 0;
    return at > agent.startedSequence && at < (agent.stoppedSequence ?? Number.POSITIVE_INFINITY);
  });

/** The range from first to last message, given in sequence order; null if there are none. */
export const rangeOf = (messages: readonly LogEvent<'message.appended'>[]): SequenceRange | null => {
  const from = messages[0]?.sequence ?? null;
  const to = messages.at(-1)?.sequence ?? null;
  return from === null || to === null ? null : { from, to };
};

/** The part of a history in a body. `link` is null if it is complete. */
export interface Cut<Item> {
  readonly contents: readonly Item[];
  readonly link: string | null;
}

/**
 * Builds a body with all messages if they fit, else with the newest that fit. A message that is too long on its own is
 * left out together with all before it, and the link covers them: the messages in the body have no gaps.
 *
 * @param render returns the complete JSON text for a cut
 */
export const fitNewest = <Item>(
  input: HistoryInput,
  toItem: (message: LogEvent<'message.appended'>) => Item,
  render: (cut: Cut<Item>) => string,
): HistoryBody => {
  const items = input.messages.map(toItem);
  const whole = render({ contents: items, link: null });
  const range = rangeOf(input.messages);
  if (range === null || utf8Length(whole) <= input.maxBytes) {
    return { body: whole, messageCount: items.length, includedCount: items.length, truncated: false };
  }
  const link = input.link(range);
  // A message count in the frame may grow from one digit to as many as the total has.
  let room = input.maxBytes - utf8Length(render({ contents: [], link })) - String(items.length).length;
  let first = items.length;
  while (first > 0) {
    room -= utf8Length(writeJson(items[first - 1])) + 1; // and its comma
    if (room < 0) break;
    first -= 1;
  }
  const contents = items.slice(first);
  return {
    body: render({ contents, link }),
    messageCount: items.length,
    includedCount: contents.length,
    truncated: true,
  };
};

const utf8 = new TextEncoder();
const utf8Length = (text: string): number => utf8.encode(text).length;
