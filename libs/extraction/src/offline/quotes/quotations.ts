import type { Candidate, WindowMessage } from '@turnkeeper/domain';
import { CORRECTION_REACH, correctionIn } from '../corrections/correction.js';
import { isInjection } from '../gates/injection.js';
import { type Cast, castOf, isUnnamed } from '../person/cast.js';
import { carriesFacts, isAssistant } from '../rules/speakable.js';
import { sentencesOf } from '../text/sentences.js';
import { worthQuoting } from './worth-quoting.js';

export interface Quotation {
  readonly message: WindowMessage;
  readonly cast: Cast;
  /** Verbatim. */
  readonly quote: string;
}

/**
 * Quotations of messages that tell something, but that no fact cites: the rules did not understand them. Unnamed agents
 * are not quoted, nor is what the speaker corrects or retracts.
 *
 * @param facts what the rules found in the conversation
 */
export const quotationsIn = (
  messages: readonly WindowMessage[],
  conversation: readonly WindowMessage[],
  facts: readonly Candidate[],
): Quotation[] => {
  const cited = new Set(facts.flatMap(({ sources }) => sources.map(({ eventId }) => eventId)));
  return messages.flatMap((message) => {
    if (cited.has(message.eventId) || !carriesFacts(message) || isInjection(message.content)) return [];
    const cast = castOf(message, conversation);
    if (isAssistant(message.role) && isUnnamed(cast.speaker)) return [];
    const quoted = worthQuoting(message.content, cast.listener);
    return quoted === null || isTakenBack(message, conversation) ? [] : [{ message, cast, quote: quoted.text }];
  });
};

/** Whether the speaker corrects or retracts something in the message or right after it. */
const isTakenBack = (message: WindowMessage, conversation: readonly WindowMessage[]): boolean =>
  conversation.some(
    ({ role, sequence, content }) =>
      role === message.role &&
      sequence >= message.sequence &&
      sequence - message.sequence <= CORRECTION_REACH &&
      sentencesOf(content).some(({ text }) => correctionIn(text) !== null),
  );
