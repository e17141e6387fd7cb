import { refusal } from '../errors.js';
import type { MessageEvent } from './fold-messages.js';
import { originalOf } from './fold-messages.js';
import { isAssistantRole } from './roles.js';
import type { MessageInterrupted } from './session-events.js';

export class NothingToInterrupt extends refusal('message.nothing_to_interrupt', 'conflict', {
  message: 'The context window must contain a message of the assistant.',
  title: 'There is no message to interrupt.',
  rule: 'must follow a message of the assistant',
  next: "Append the assistant's message first.",
}) {}

export class HeardTooMuch extends refusal('message.heard_too_much', 'invalid', {
  message: 'The part that was heard is longer than the message.',
  field: 'content',
  rule: "must not be longer than the assistant's message",
  next: 'Send the part of the message that was spoken.',
}) {}

export class HeardSomethingElse extends refusal('message.heard_differs', 'invalid', {
  message: 'The part that was heard is not the beginning of the message.',
  field: 'content',
  rule: "must be the beginning of the assistant's message; punctuation, case and what is in brackets may differ",
  next: 'Send the part of the message that was spoken, or no content if it is unknown.',
}) {}

/** What the interrupting client reports. */
export interface Interruption {
  /** The part that was spoken; null if unknown. Speech skips what cannot be spoken, such as markup. */
  readonly heard: string | null;
  readonly interruptTimestamp?: number;
}

/** Speech may leave out what is in brackets, and reports neither case nor punctuation reliably. */
const spokenLetters = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '');
const BRACKETS = /\([^()]*\)|\[[^[\]]*\]|\{[^{}]*\}|（[^（）]*）|【[^【】]*】/gu;

const isBeginning = (heard: string, original: string): boolean =>
  [original, original.replaceAll(BRACKETS, '')].some((said) => spokenLetters(said).startsWith(spokenLetters(heard)));

/**
 * Selects the message that an interruption cuts: the assistant's last one. The event names it by id, so that a
 * concurrent append or erasure cannot move the cut to another message.
 *
 * @param messages current messages, in order
 */
export const interruptLast = (
  messages: readonly MessageEvent[],
  { heard, interruptTimestamp }: Interruption,
): MessageInterrupted => {
  const last = messages.findLast((message) => isAssistantRole(message.data.role));
  if (last === undefined) throw new NothingToInterrupt();
  if (heard !== null && heard.length > originalOf(last).length) throw new HeardTooMuch();
  if (heard !== null && !isBeginning(heard, originalOf(last))) throw new HeardSomethingElse();
  return {
    messageEventId: last.eventId,
    heard,
    ...(interruptTimestamp === undefined ? {} : { interruptTimestamp }),
  };
};
