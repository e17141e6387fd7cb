import { holdsSecret } from '../secrets/secrets.js';
import { contextOf } from './context.js';
import { candidateOf, type Note, type Quote } from './frame.js';
import { isQuestion } from './sentences.js';
import { isAssistant } from './speakers.js';
import { CONTENT_OF_CLOSED_QUESTION, type NoteOfTurn, type Place, type Question, type Turn } from './turn.js';
import { asksSomething, contentOf, hasSpecifics, isThanks, worthOf } from './worth.js';
import { detailsOf } from './write-notes.js';

/** A yes or no to a question that has content, which tells what it means. */
export const consentTo = (place: Place, question: Question): NoteOfTurn | null => {
  const { turn, next } = place;
  const text = consented(turn, question);
  const first = turn.sentences[0];
  if (text === null || first === undefined) return null;
  const { message, lexicon } = turn;
  // What the other side says next may answer what else was said.
  const proposal = { ...question, text };
  const note: Note = {
    after: contextOf(place, [], proposal) ?? null,
    question: proposal,
    said: [{ message, text: first.text }],
    outcome: isBareYes(turn) ? outcomeIn(next) : null,
    isRelative: lexicon.relativeDay.test(text),
  };
  const candidate = candidateOf(note, detailsOf(note, 'fact', null, lexicon));
  return holdsSecret(candidate.text) ? null : { note, category: 'fact', candidate, typed: null };
};

/** A yes, and nothing else that the other side may answer. */
export const isBareYes = ({ lexicon, sentences: [first, ...more] }: Turn): boolean =>
  first !== undefined &&
  lexicon.agrees.test(first.text) &&
  [first, ...more].every(({ text }) => contentOf(text, lexicon) < CONTENT_OF_CLOSED_QUESTION && !isQuestion(text));

/** The words to which a turn says yes or no; null if it does not, or if they are not worth a note. */
export const consented = ({ message, lexicon, sentences }: Turn, question: Question): string | null => {
  const first = sentences[0]?.text ?? '';
  const agrees = lexicon.agrees.test(first);
  // "No, that's all."
  const isLeave =
    lexicon.smallTalk.test(question.text) ||
    (!agrees && lexicon.another.test(question.text)) ||
    (!agrees && lexicon.smallTalk.test(message.content)) ||
    // "Do you still need me?" – "No, thank you."
    (!agrees && isThanks(message.content, lexicon) && !hasSpecifics(question.text, lexicon));
  // "I found an apartment." – "Okay, is it furnished?"
  const isAsking = isQuestion(first) && !asksSomething(question.sentences.at(-1) ?? '', lexicon);
  if (isAsking || isLeave || (!agrees && !lexicon.denies.test(first))) return null;
  const text = agrees ? question.proposal : question.text;
  // "Would you like to add a reminder?" does not say which.
  const isVague = OFFERS.test(text) && !hasSpecifics(text, lexicon);
  return contentOf(text, lexicon) < CONTENT_OF_CLOSED_QUESTION + (isVague ? 1 : 0) ? null : text;
};

const OFFERS =
  /(?<!\p{L})(?:would you (?:like|prefer)|(?:do )?you (?:want|wish|need) (?:me )?to|(?:shall|should|can|may) i|desea|quiere que|möchten sie|soll ich|voulez-vous|souhaitez|gostaria|quer que|có muốn|muốn)(?!\p{L})|要不要|需要我/iu;

/** What the other side reports right after a consent: "The alarm has been added.", "I could not book it." */
const outcomeIn = (next: Turn | null): Quote | null => {
  if (next === null || !isAssistant(next.message.role) || next.message.isCut === true) return null;
  const { message, lexicon, sentences } = next;
  const setting = { lexicon, isAgent: true, isChat: false, empty: new Set<string>(), isAsking: false };
  const done = sentences.find(
    ({ text }) =>
      !asksSomething(text, lexicon) &&
      !OFFERS.test(text) &&
      !lexicon.smallTalk.test(text) &&
      contentOf(text, lexicon) > 0 &&
      // Else it is noted on its own.
      worthOf(text, setting) === null,
  );
  return done === undefined ? null : { message, text: done.text };
};
