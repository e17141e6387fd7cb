import type { WindowMessage } from '@turnkeeper/domain';
import { isQuestion, sentencesOf } from '../text/sentences.js';
import type { Span } from '../text/spans.js';

const MAX_QUESTION_LENGTH = 160;

/** The question at the end of a message, if it is the only one there: the next message may answer it. */
export const openQuestion = (previous: WindowMessage): Span | null => {
  const sentences = sentencesOf(previous.content);
  const last = sentences.at(-1);
  if (last === undefined || !isQuestion(last.text) || last.text.length > MAX_QUESTION_LENGTH) return null;
  return sentences.filter(({ text }) => isQuestion(text)).length > 1 ? null : last;
};
