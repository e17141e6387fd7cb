import type { Agent } from '../agent/agent.js';
import type { LogEvent } from '../log/log-event.js';

/** A body to be stored as it is and sent again unchanged. */
export interface HistoryBody {
  /** JSON text. Its UTF-8 bytes are what is signed and sent. */
  readonly body: string;
  /** Messages of this agent in all, and those in the body. */
  readonly messageCount: number;
  readonly includedCount: number;
  readonly truncated: boolean;
}

/** Everything a history message is made of. `agent` is stopped; `messages` are its own, in sequence order. */
export interface HistoryInput {
  readonly agent: Agent;
  readonly messages: readonly LogEvent<'message.appended'>[];
  /** Longest body in bytes. A longer history is cut to its newest messages and carries a link to the whole. */
  readonly maxBytes: number;
  /** Gives the URL of the whole history; asked only when the body cannot hold it. */
  readonly link: (range: SequenceRange) => string;
}

/** Session sequences, both included. */
export interface SequenceRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The messages an agent heard and said: those of its session between its start and its stop. A stop without a
 * sequence leaves the range open.
 */
export const messagesOfAgent = (
  agent: Agent,
  events: readonly LogEvent<'message.appended'>[],
): LogEvent<'message.appended'>[] =>
  events.filter(({ sequence }) => {
    const at = sequence ?? 0;
    return at > agent.startedSequence && at < (agent.stoppedSequence ?? Number.POSITIVE_INFINITY);
  });

/** From the first to the last of some messages in sequence order; null when there are none. */
export const rangeOf = (messages: readonly LogEvent<'message.appended'>[]): SequenceRange | null => {
  const from = messages[0]?.sequence ?? null;
  const to = messages.at(-1)?.sequence ?? null;
  return from === null || to === null ? null : { from, to };
};

/** How much of a history a body holds. `link` is null when it holds all. */
export interface Cut<Item> {
  readonly contents: readonly Item[];
  readonly link: string | null;
}

/**
 * Builds a body that holds every message if that fits, else the newest ones that fit. A message that alone is too
 * long is left to the link, with all before it: what is in the body has no gap.
 *
 * @param render gives the whole JSON text for a cut
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
  // A count of messages in the frame may grow from one digit to as many as the total has.
  let room = input.maxBytes - utf8Length(render({ contents: [], link })) - String(items.length).length;
  let first = items.length;
  while (first > 0) {
    room -= utf8Length(JSON.stringify(items[first - 1])) + 1; // and its comma
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
