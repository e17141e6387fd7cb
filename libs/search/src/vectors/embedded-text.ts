import type { MessageAppended } from '@turnkeeper/domain';
import { searchedText, speakerOf } from '../turns/index-turn.js';

/** Number of characters of a turn to embed; its beginning shows what it is about. */
const MOST_OF_A_TURN = 1_000;
const MOST_OF_A_QUESTION = 500;
const A_NAME = /[\p{L}\p{N}\p{M}]+(?:['’]s)?/gu;

/** The text of a turn to embed: the speaker's name if given, the content and picture captions. */
export const embeddedText = (message: MessageAppended): string => {
  const speaker = speakerOf(message);
  const text = searchedText(message).trim();
  return (speaker === null ? text : `${speaker}: ${text}`).slice(0, MOST_OF_A_TURN).toWellFormed();
};

/**
 * The text of a question to embed, without speakers' names, because those occur in every turn.
 *
 * @param speakers names in lower case
 */
export const embeddedQuestion = (question: string, speakers: readonly string[]): string => {
  const names = new Set(speakers.flatMap((name) => [name, ...name.split(/\s+/u)]));
  const text = question.slice(0, MOST_OF_A_QUESTION).replaceAll('\u0000', '');
  const unnamed = text.replace(A_NAME, (word) => (names.has(word.replace(/['’]s$/u, '').toLowerCase()) ? '' : word));
  const left = unnamed.replace(/\s+/gu, ' ').trim();
  return (/[\p{L}\p{N}]/u.test(left) ? left : text.trim()).toWellFormed();
};
