import type { WindowMessage } from '@turnkeeper/domain';
import { wordCount } from '../text/clauses.js';
import { addresses } from '../text/openers.js';
import { isQuestion, sentencesOf } from '../text/sentences.js';
import type { Span } from '../text/spans.js';
import { mentionsListener, mentionsSpeaker } from './subject.js';

const MAX_QUESTION_LENGTH = 120;
const MAX_ANSWER_WORDS = 8;
/** Asks for a thing, or about the listener; "How was it?" gives answers that say nothing alone. */
const ASKS_FOR_FACT =
  /\b(?:what|which|who|where|when|how (?:many|much|old|long|often|far))\b|\b(?:do|are|have|did|can|is|were) (?:you|your)\b/i;
const SAYS_NOTHING =
  /^(?:it|that|this|they|there|he|she|let's|just|not)\b|\b(?:great|good|awesome|amazing|cool|nice|fun|fine|well|thanks?|thank|sure|definitely|absolutely|course|course not|maybe|perhaps|congrats|wow|sorry|love|hope|know|bad|true|right|exactly|totally|worries|problem)\b/i;

/** The question that the message before ends with, when it is the only one and an answer to it would be a fact. */
export const openQuestion = (previous: WindowMessage | undefined): Span | null => {
  const sentences = previous === undefined ? [] : sentencesOf(previous.content);
  const last = sentences.at(-1);
  if (last === undefined || !isQuestion(last.text) || last.text.length > MAX_QUESTION_LENGTH) return null;
  if (sentences.filter(({ text }) => isQuestion(text)).length > 1) return null;
  return ASKS_FOR_FACT.test(last.text) ? last : null;
};

/**
 * Is this a bare answer ("Two cats.", "In Hue since May") that needs its question to be understood?
 * One that names "I" or "we" stands by itself.
 */
export const isBareAnswer = (sentence: string, listener: string): boolean => {
  const words = wordCount(sentence);
  return (
    words >= 1 &&
    words <= MAX_ANSWER_WORDS &&
    !isQuestion(sentence) &&
    !mentionsSpeaker(sentence) &&
    !mentionsListener(sentence) &&
    !SAYS_NOTHING.test(sentence) &&
    !(words === 1 && addresses(sentence.replace(/\W+$/, ''), listener))
  );
};
