import { asksForSecret, type WindowMessage } from '@turnkeeper/domain';
import type { Lexicon } from './languages/lexicon.js';
import { spokenIn } from './spoken.js';
import { isUser } from './speakers.js';

/** Shorter numbers occur everywhere. */
const SHORTEST = 3;

/** Which sentences must not be quoted because a question before them asked for a secret. */
export interface SecretAnswers {
  isIn(message: WindowMessage, sentence: string): boolean;
}

/**
 * Finds the answers to questions that ask for a secret. Until the other side asks for something else, a user's sentence
 * is kept only if it names something and holds no number; numbers of such answers are secret wherever they are repeated.
 */
export const secretAnswersIn = (messages: readonly WindowMessage[], lexicons: readonly Lexicon[]): SecretAnswers => {
  const answers = new Set<string>();
  const numbers = new Set<string>();
  let isOpen = false;
  messages.forEach((message, index) => {
    const lexicon = lexicons[index] as Lexicon;
    if (!isUser(message.role)) {
      if (asksForSecret(message.content)) isOpen = true;
      else if (/[?？]/.test(message.content) || lexicon.asks.test(message.content)) isOpen = false;
    } else if (isOpen) {
      answers.add(message.eventId);
      for (const { value } of spokenIn(message.content, lexicon)) if (value.length >= SHORTEST) numbers.add(value);
    }
  });
  return {
    isIn: (message, sentence) => {
      if (answers.size === 0) return false;
      const lexicon = lexicons[messages.indexOf(message)] as Lexicon;
      const codes = spokenIn(sentence, lexicon);
      if (answers.has(message.eventId)) return codes.length > 0 || !lexicon.beforeName.test(sentence);
      return codes.some(({ value }) => numbers.has(value));
    },
  };
};
