import type { Candidate, StrategyType, WindowMessage } from '@turnkeeper/domain';
import { resolveDates } from './dates/resolve.js';
import { type Cast, castOf } from './person/cast.js';
import { inThirdPerson } from './person/third-person.js';
import { preferenceIn } from './rules/preferences.js';
import { KEEP_FROM, salienceOf } from './rules/salience.js';
import { smallTalkIn } from './rules/small-talk.js';
import { carriesFacts } from './rules/speakable.js';
import { type Statement, statementsOf } from './statements.js';
import { wordCount } from './text/clauses.js';

/** Longest fact in characters; a longer clause is a monologue that the rules did not understand. */
const MAX_FACT_LENGTH = 400;
const MIN_WORDS = 4;
const SPEAKER = /\b(?:I|me|my|mine|myself|we|us|our|ours|ourselves)\b/i;
const DANGLING = /^(?:it|that|this|they|those|these|he|she|there)\b/i;

/** Every fact the rules find in the messages, oldest first. */
export const factsIn = (
  messages: readonly WindowMessage[],
  context: readonly WindowMessage[],
  type: StrategyType,
): Candidate[] => {
  const conversation = [...context, ...messages];
  return messages.filter(carriesFacts).flatMap((message) => {
    const cast = castOf(message, conversation);
    return statementsOf(message, cast)
      .filter((statement) => isKept(statement, message, type))
      .map((statement) => toCandidate(statement, message, cast));
  });
};

const isKept = ({ plain }: Statement, message: WindowMessage, type: StrategyType): boolean => {
  if (!SPEAKER.test(plain) || wordCount(plain) < MIN_WORDS || plain.length > MAX_FACT_LENGTH) return false;
  if (smallTalkIn(plain) !== null || DANGLING.test(plain)) return false;
  if (type === 'USER_PREFERENCE') return message.role === 'user' && preferenceIn(plain) !== null;
  return salienceOf(plain) >= KEEP_FROM;
};

const toCandidate = (statement: Statement, message: WindowMessage, cast: Cast): Candidate => ({
  text: asSentence(inThirdPerson(resolveDates(statement.plain, message.at), cast, statement.before)),
  sources: [{ eventId: message.eventId, quote: statement.span.text }],
});

const asSentence = (text: string): string => {
  const bare = text
    .replace(/\p{Extended_Pictographic}|\uFE0F/gu, '')
    .replace(/\s{2,}/g, ' ')
    .replace(/[\s,;:.!…–-]+$/u, '')
    .trim();
  return `${bare.charAt(0).toUpperCase()}${bare.slice(1)}.`;
};
