import type { WindowMessage } from '@turnkeeper/domain';
import type { Cast } from './person/cast.js';
import { expandContractions, restoreSubject } from './person/contractions.js';
import { clausesOf, wordCount } from './text/clauses.js';
import { addresses, withoutOpeners } from './text/openers.js';
import { isQuestion, sentencesOf } from './text/sentences.js';
import { type Span, subSpan } from './text/spans.js';

/** A clause somebody said that is no question, ready to be judged and rewritten. */
export interface Statement {
  /** Its number in the message, from 0; a question takes a number too. */
  readonly index: number;
  /** Where it stands in the message; its text is the quote. */
  readonly span: Span;
  /** Contractions spelled out, a left-out "I" put back, the listener's name taken out. */
  readonly plain: string;
  /** What the message says before it. */
  readonly before: string;
}

const TAG_QUESTION =
  /[,;–-]\s*(?:(?:and|but|so)\s+)?(?:how|what|when|where|who|why|which|do|does|did|have|has|are|is|can|could|would|will|any|right|huh|eh|you)\b[^,;]*\?["'”’)\]]*\s*$/i;

/** How far back, in characters, the company is looked for that "we" stands for. */
const MEMORY = 500;

export const statementsOf = (message: WindowMessage, cast: Cast): Statement[] => {
  const statements: Statement[] = [];
  let index = 0;
  for (const sentence of sentencesOf(message.content)) {
    const asks = isQuestion(sentence.text);
    const told = asks ? beforeQuestion(sentence) : sentence;
    for (const clause of told === null ? [] : clausesOf(withoutOpeners(told, cast.listener))) {
      const span = withoutOpeners(clause, cast.listener);
      if (wordCount(span.text) === 0) continue;
      const plain = withoutVocatives(restoreSubject(expandContractions(span.text)), cast.listener);
      statements.push({
        index,
        span,
        plain,
        before: message.content.slice(Math.max(0, span.start - MEMORY), span.start),
      });
      index += 1;
    }
    if (asks) index += 1;
  }
  return statements;
};

/** "I moved last week, did I tell you?" still says "I moved last week". */
const beforeQuestion = (sentence: Span): Span | null => {
  const question = TAG_QUESTION.exec(sentence.text);
  if (question === null) return null;
  const told = subSpan(sentence, 0, question.index);
  const asks = /^(?:how|what|when|where|who|why|which|do|does|did|have|has|are|is|can|could|would|will|any|got)\b/i;
  return wordCount(told.text) >= 5 && !asks.test(told.text) ? told : null;
};

const withoutVocatives = (text: string, listener: string): string =>
  text.replace(/,\s*(\p{Lu}\p{L}+)(?=\s*(?:[,.!;]|$))/gu, (whole, word: string) =>
    addresses(word, listener) ? '' : whole,
  );
