import { holdsSecret } from '../secrets/secrets.js';
import { contextOf } from './context.js';
import { candidateOf, type Note, type Quote } from './frame.js';
import { isQuestion } from './sentences.js';
import { isAssistant } from './speakers.js';
import {
  CONTENT_OF_CLOSED_QUESTION,
  type NoteOfTurn,
  type Place,
  type Question,
  questionIn,
  type Turn,
} from './turn.js';
import { contentOf, isThanks, worthOf } from './worth.js';
import { detailsOf } from './write-notes.js';

/** A yes or no to what has content: the question tells what it means. */
export const consentTo = (place: Place, question: Question): NoteOfTurn | null => {
  const { turn, next, chat } = place;
  const outcome = outcomeIn(next);
  const text = consented(turn, question, outcome !== null, chat.isChat);
  const first = turn.sentences[0];
  if (text === null || first === undefined) return null;
  const { message, lexicon } = turn;
  // What the other side says next may answer what else was said.
  const isBare = lexicon.agrees.test(first.text) && turn.sentences.every((one) => contentOf(one.text, lexicon) === 0);
  const proposal = { ...question, text };
  const note: Note = {
    after: contextOf(place, [], proposal),
    question: proposal,
    said: [{ message, text: first.text }],
    outcome: isBare ? outcome : null,
    isRelative: lexicon.relativeDay.test(text),
  };
  const candidate = candidateOf(note, detailsOf(note, 'fact', null, lexicon));
  return holdsSecret(candidate.text) ? null : { note, category: 'fact', candidate, typed: null };
};

/** The words to which a turn says yes or no and nothing else; null if it does not, or if they are not worth a note. */
const consented = (
  { message, lexicon, sentences }: Turn,
  question: Question,
  isDone: boolean,
  isChat: boolean,
): string | null => {
  const first = sentences[0];
  if (first === undefined || lexicon.offersHelp.test(question.text)) return null;
  const agrees = lexicon.agrees.test(first.text);
  if (!agrees && !lexicon.denies.test(first.text)) return null;
  // "No, that's all."
  if (lexicon.offersHelp.test(message.content) && !(agrees && question.asks)) return null;
  const text = agrees ? question.proposal : question.text;
  if (contentOf(text, lexicon) < CONTENT_OF_CLOSED_QUESTION + (isChat ? 1 : 0)) return null;
  // "Okay, thanks" after a piece of information is no consent.
  if (!question.asks && (!agrees || isChat || isThanks(message.content, lexicon))) return null;
  // What an agent did is noted on its own.
  return !question.asks && !isDone && lexicon.commits.test(question.text) ? null : text;
};

/** Whether a turn says nothing but yes to a statement of the turn before it. */
export const isConsentTo = (turn: Turn, before: Turn): boolean => {
  const question = questionIn(before, false);
  return (
    question !== null &&
    turn.sentences.every(({ text }) => contentOf(text, turn.lexicon) === 0 && !/\p{N}/u.test(text)) &&
    consented(turn, question, false, false) !== null
  );
};

/** What the other side reports right after a consent: "The alarm has been added.", "I could not book it." */
const outcomeIn = (next: Turn | null): Quote | null => {
  if (next === null || !isAssistant(next.message.role) || next.message.isCut === true) return null;
  const { message, lexicon, sentences } = next;
  const setting = { lexicon, isAgent: true, isChat: false, names: new Set<string>(), isAsking: false };
  const done = sentences.find(
    ({ text }) =>
      !isQuestion(text) &&
      !lexicon.passing.test(text) &&
      !lexicon.offersHelp.test(text) &&
      contentOf(text, lexicon) > 0 &&
      // Else it is noted on its own.
      worthOf(text, setting) === null,
  );
  return done === undefined ? null : { message, text: done.text };
};
