import { type WindowMessage, withoutEnd } from '@turnkeeper/domain';
import { withoutUrls } from './gates/code.js';
import { holdsQuotedSpeech } from './gates/quoted.js';
import { unrealIn } from './gates/unreal.js';
import type { Cast } from './person/cast.js';
import { expandContractions, restoreSubject } from './person/contractions.js';
import { normaliseSpeech } from './speech/normalise.js';
import { clausesOf, wordCount } from './text/clauses.js';
import { addresses, withoutOpeners } from './text/openers.js';
import { isQuestion } from './text/sentences.js';
import { type Span, subSpan } from './text/spans.js';

/** A clause that is not a question, ready to be judged and rewritten. */
export interface Statement {
  /** Position in the message; its text is the quote. */
  readonly span: Span;
  /** As the rules read it: without fillers and the listener's name, contractions expanded, an omitted "I" restored. */
  readonly plain: string;
  /** The part of the message before it. */
  readonly before: string;
}

const TAG =
  /[,;–-]\s*(?:(?:and|but|so)\s+)?(?:how|what|when|where|who|why|which|do|does|did|have|has|are|is|can|could|would|will|any|right|huh|eh|you)\b/i;

/** Where the last clause of a sentence begins, if it is a question; -1 if there is none. */
const tagQuestionAt = (sentence: string): number => {
  if (!withoutEnd(withoutEnd(sentence, /\s/), /["'”’)\]]/).endsWith('?')) return -1;
  const last = Math.max(sentence.lastIndexOf(','), sentence.lastIndexOf(';'), 0);
  const at = sentence.slice(last).search(TAG);
  return at === -1 ? -1 : last + at;
};

/** "I joined a choir, believe it or not". */
const ASIDE =
  /,\s{0,3}(?:by the way|btw|believe it or not|to be honest|if you can believe (?:it|that)|would you believe(?: it)?|of course|obviously|apparently|sadly|actually|basically|you know|honestly|in fact|funnily enough|I think|I guess|I suppose)(?=[.!…]{0,3}$)/iu;

/** How many characters back to search for the companions that "we" refers to. */
const MEMORY = 500;

/** The clauses of a sentence that are meant literally. */
export const statementsOf = (sentence: Span, message: WindowMessage, cast: Cast): Statement[] => {
  const told = isQuestion(sentence.text) ? beforeQuestion(sentence) : sentence;
  if (told === null || unrealIn(told.text) !== null || holdsQuotedSpeech(told.text)) return [];
  return clausesOf(withoutOpeners(told, cast.listener)).flatMap((clause) => {
    const span = withoutOpeners(clause, cast.listener);
    if (wordCount(span.text) === 0 || unrealIn(span.text) !== null) return [];
    const bare = withoutUrls(normaliseSpeech(span.text)).replace(ASIDE, '');
    const plain = withoutVocatives(restoreSubject(expandContractions(bare)), cast.listener);
    return [{ span, plain, before: message.content.slice(Math.max(0, span.start - MEMORY), span.start) }];
  });
};

/** "I moved last week, did I tell you?" still states "I moved last week". */
const beforeQuestion = (sentence: Span): Span | null => {
  const question = tagQuestionAt(sentence.text);
  if (question === -1) return null;
  const told = subSpan(sentence, 0, question);
  const asks = /^(?:how|what|when|where|who|why|which|do|does|did|have|has|are|is|can|could|would|will|any|got)\b/i;
  return wordCount(told.text) >= 5 && !asks.test(told.text) ? told : null;
};

const withoutVocatives = (text: string, listener: string): string =>
  withoutCall(text, listener).replace(/,\s{0,9}(\p{Lu}\p{L}{1,40})(?=\s{0,9}(?:[,.!;]|$))/gu, (whole, word: string) =>
    addresses(word, listener) ? '' : whole,
  );

/** "I love the idea Nora!": a name after a complete phrase addresses the listener. */
const withoutCall = (text: string, listener: string): string =>
  text.replace(
    /(\b(?:the|a|an|that) \p{Ll}{3,20}) (\p{Lu}\p{L}{1,30})(?=[.!]{0,3}$)/u,
    (whole, phrase: string, word: string) => (word === listener ? phrase : whole),
  );
