import type { MessageAppended } from '@turnkeeper/domain';
import { searchedText, speakerOf } from '../turns/index-turn.js';

/** Number of characters of a turn to embed; its beginning shows what it is about. */
const MAX_TURN_CHARACTERS = 1_000;
/** Half from the start and half from the end, where people ask: 500 characters would hold the model for 55 ms. */
const MAX_QUESTION_CHARACTERS = 250;
const A_NAME = /[\p{L}\p{N}\p{M}]+(?:['’]s)?/gu;

/** Names of the one whom records are about. Every record and many a question has one, which makes all of them alike. */
const SUBJECT = /\b(?:of )?(?:the )?(?:user|customer|client)(?:['’]s)?\b/giu;
/** What an extracted record adds to what was said. */
const FRAME = /\(said on [^)]*\)|\b(?:said|asked|told):?(?= ["“])/giu;
/** What a note quotes of the conversation before it: it is not what the note tells. */
const BEFORE = /^After [^"“]{1,80} said (?:"[^"]*"|“[^”]*”), (?=\S)/u;
const MAX_RECORD_CHARACTERS = 1_000;

/** The text of a record without the sentence before it that a note quotes. */
export const ownTextOf = (text: string): string => text.replace(BEFORE, '');

const withoutSubject = (text: string): string => {
  const left = text.replace(SUBJECT, ' ').replace(/\s+/gu, ' ').trim();
  return /[\p{L}\p{N}]/u.test(left) ? left : text.trim();
};

/** The text of a record to embed, without the one whom it is about. */
export const embeddedRecord = (text: string): string =>
  withoutSubject(
    ownTextOf(text).slice(0, MAX_RECORD_CHARACTERS).replaceAll('\u0000', '').replace(FRAME, ' '),
  ).toWellFormed();

/** The text of a turn to embed: the speaker's name if given, the content and picture captions. */
export const embeddedText = (message: MessageAppended): string => {
  const speaker = speakerOf(message);
  const text = searchedText(message).trim();
  return (speaker === null ? text : `${speaker}: ${text}`).slice(0, MAX_TURN_CHARACTERS).toWellFormed();
};

/**
 * The text of a question to embed, without speakers' names, because those occur in every turn.
 *
 * @param speakers names in lower case
 */
export const embeddedQuestion = (question: string, speakers: readonly string[]): string => {
  const names = new Set(speakers.flatMap((name) => [name, ...name.split(/\s+/u)]));
  const half = MAX_QUESTION_CHARACTERS / 2;
  const ends =
    question.length <= MAX_QUESTION_CHARACTERS ? question : `${question.slice(0, half)} ${question.slice(-half)}`;
  const text = ends.replaceAll('\u0000', '');
  const unnamed = text.replace(A_NAME, (word) => (names.has(word.replace(/['’]s$/u, '').toLowerCase()) ? '' : word));
  return withoutSubject(/[\p{L}\p{N}]/u.test(unnamed) ? unnamed : text).toWellFormed();
};
