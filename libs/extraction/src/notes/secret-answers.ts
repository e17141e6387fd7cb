import type { WindowMessage } from '@turnkeeper/domain';
import { asksForSecret } from '../secrets/secrets.js';
import type { Lexicon } from './languages/lexicon.js';
import { type Span, spanOf } from './sentences.js';
import { spokenIn } from './spoken.js';
import { isUser } from './speakers.js';
import { contentOf } from './worth.js';

/** Shorter numbers occur everywhere. */
const SHORTEST = 3;
/** A later message with this many words beside its numbers tells something else. */
const WORDS_OF_ANOTHER_MATTER = 3;

/** What must not be quoted because a question before it asked for a secret. */
interface SecretAnswers {
  /** The parts of a message that may be quoted. */
  open(message: WindowMessage, sentences: readonly Span[]): Span[];
}

/**
 * Finds the answers to questions that ask for a secret. Of a message that answers one, only a clause with the speaker's
 * name and without a number may be quoted. Numbers of such answers are secret wherever they are repeated.
 */
export const secretAnswersIn = (messages: readonly WindowMessage[], lexicons: readonly Lexicon[]): SecretAnswers => {
  const lexiconBy = new Map(messages.map((message, index) => [message, lexicons[index] as Lexicon]));
  const lexiconOf = (message: WindowMessage): Lexicon => lexiconBy.get(message) as Lexicon;
  const answers = new Set<string>();
  const numbers = new Set<string>();
  let state: 'none' | 'asked' | 'answered' = 'none';
  for (const message of messages) {
    const { content } = message;
    const lexicon = lexiconOf(message);
    if (!isUser(message.role)) {
      if (asksForSecret(content)) state = 'asked';
      else if (/[?？]/.test(content) || lexicon.asks.test(content)) state = 'none';
      continue;
    }
    if (state === 'none') continue;
    const codes = spokenIn(content, lexicon).filter(({ value }) => value.length >= SHORTEST);
    const words = contentOf(content.replace(/\p{N}+/gu, ' '), lexicon);
    if (state === 'answered' && words >= WORDS_OF_ANOTHER_MATTER) continue;
    answers.add(message.eventId);
    for (const { value } of codes) numbers.add(value);
    if (codes.length > 0) state = 'answered';
  }
  return {
    open: (message, sentences) => {
      if (answers.size === 0) return [...sentences];
      const lexicon = lexiconOf(message);
      if (!answers.has(message.eventId))
        return sentences.filter(({ text }) => !spokenIn(text, lexicon).some(({ value }) => numbers.has(value)));
      return sentences
        .flatMap((sentence) => clausesOf(sentence))
        .filter(({ text }) => spokenIn(text, lexicon).length === 0)
        .filter(({ text }) => lexicon.beforeName.test(text) && !asksForSecret(text));
    },
  };
};

const BETWEEN_CLAUSES = /[,;，]|\s(?:and|y|und|et|e|và)(?=\s)/giu;

const clausesOf = ({ text, start }: Span): Span[] => {
  const cuts = [...text.matchAll(BETWEEN_CLAUSES)].flatMap(({ 0: { length }, index }) => [index, index + length]);
  const edges = [0, ...cuts, text.length];
  return edges.slice(1).flatMap((to, index) => {
    const part = spanOf(text, edges[index] ?? 0, to);
    return part === null ? [] : [{ text: part.text, start: start + part.start, end: start + part.end }];
  });
};
