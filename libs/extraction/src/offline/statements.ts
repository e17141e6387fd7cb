import type { WindowMessage } from '@turnkeeper/domain';
import type { Cast } from './person/cast.js';
import { expandContractions, restoreSubject } from './person/contractions.js';
import { clausesOf, wordCount } from './text/clauses.js';
import { addresses, withoutOpeners } from './text/openers.js';
import { isQuestion, sentencesOf } from './text/sentences.js';
import { type Span, subSpan } from './text/spans.js';

/** A clause somebody said that is no question, ready to be judged and rewritten. */
export interface Statement {
  /** Where it stands in the message; its text is the quote. */
  readonly span: Span;
  /** Contractions spelled out, a left-out "I" put back, the listener's name taken out. */
  readonly plain: string;
  /** What the message says before it. */
  readonly before: string;
}

const TAG_QUESTION =
  /[,;–-]\s*(?:(?:and|but|so)\s+)?(?:how|what|when|where|who|why|which|do|does|did|have|has|are|is|can|could|would|will|any|right|huh|eh|you)\b[^,;]*\?["'”’)\]]*\s*$/i;

export const statementsOf = (message: WindowMessage, cast: Cast): Statement[] => {
  const statements: Statement[] = [];
  for (const sentence of sentencesOf(message.content)) {
    const told = isQuestion(sentence.text) ? beforeQuestion(sentence) : sentence;
    if (told === null) continue;
    for (const clause of clausesOf(withoutOpeners(told, cast.listener))) {
      const span = withoutOpeners(clause, cast.listener);
      if (wordCount(span.text) === 0) continue;
      const plain = withoutVocatives(restoreSubject(expandContractions(span.text)), cast.listener);
      statements.push({ span, plain, before: message.content.slice(0, span.start) });
    }
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
