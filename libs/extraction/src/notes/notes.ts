import type { ExistingRecord } from '@turnkeeper/application';
import type { RecordCategory, WindowMessage } from '@turnkeeper/domain';
import { holdsSecret } from '../secrets/secrets.js';
import { consentTo, isConsentTo } from './consents.js';
import { corrected, withTakingBack } from './corrections.js';
import { isInjection } from './injection.js';
import { lexiconsOf } from './languages/language.js';
import type { Lexicon } from './languages/lexicon.js';
import { secretAnswersIn } from './secret-answers.js';
import { isQuestion, sentencesOf, type Span } from './sentences.js';
import { countSkipped, type Skipped, type SkipReason } from './skipped.js';
import { isAssistant, isSpoken, isUnknownRole, isUser, nameGiven } from './speakers.js';
import {
  isQuotable,
  type Chat,
  type Kept,
  type NoteOfTurn,
  type Place,
  type Question,
  questionIn,
  type Turn,
} from './turn.js';
import type { Typed } from './typed.js';
import {
  asksSomething,
  contentOf,
  hasSpecifics,
  isTelling,
  isThanks,
  tellsDetails,
  type Setting,
  worthOf,
} from './worth.js';
import { note, typedNotes } from './write-notes.js';

export interface Notes {
  readonly notes: readonly NoteOfTurn[];
  readonly skipped: Skipped;
}
/**
 * What is worth noting in a window, in the words of its speakers.
 *
 * @param context messages before the window
 * @param only notes of the user's sentences of this category alone
 * @param existing typed values of earlier windows
 */
export const notesIn = (
  messages: readonly WindowMessage[],
  context: readonly WindowMessage[],
  only: RecordCategory | null = null,
  existing: readonly ExistingRecord[] = [],
): Notes => {
  const skipped: SkipReason[] = [];
  const inWindow = new Set(messages.map(({ eventId }) => eventId));
  const skip = (message: WindowMessage, reason: SkipReason): void => {
    if (inWindow.has(message.eventId)) skipped.push(reason);
  };
  const all = [...context, ...messages].filter((message) => {
    const isRead = isSpoken(message);
    const isInstruction = isRead && isInjection(message.content);
    if (isUnknownRole(message.role)) skip(message, 'role');
    if (isInstruction) skip(message, 'instructions');
    return isRead && !isInstruction;
  });
  const lexicons = lexiconsOf(all.map(({ content }) => content));
  const secrets = secretAnswersIn(all, lexicons);
  const openIn = (message: WindowMessage): Span[] => {
    const whole = sentencesOf(message.content);
    const open = secrets.open(message, whole).filter(({ text }) => !holdsSecret(text));
    if (whole.some((span) => !open.includes(span))) skip(message, 'secret');
    return open;
  };
  const turns = all.map((message, index): Turn => ({
    message,
    lexicon: lexicons[index] as Lexicon,
    sentences: openIn(message).filter(isQuotable),
  }));
  const chat = chatOf(all);
  const notes = turns.flatMap((turn, index) =>
    inWindow.has(turn.message.eventId) ? notesOf(placeOf(turns, index, chat), only) : [],
  );
  const standing = corrected(notes, existing);
  return { notes: chat.isChat ? standing : withTakingBack(standing, turns), skipped: countSkipped(skipped) };
};

const placeOf = (turns: readonly Turn[], index: number, chat: Chat): Place => ({
  turns,
  index,
  chat,
  turn: turns[index] as Turn,
  before: before(turns, index),
  next: turns[index + 1] ?? null,
  earlier: () => earlierValue(turns, index, chat),
});

/** Messages back to the value that a speaker corrects. */
const MOST_BACK = 4;

/** The value that the same side gave last. */
const earlierValue = (turns: readonly Turn[], index: number, chat: Chat): Typed | null => {
  const own = isUser(turns[index]?.message.role ?? '');
  for (let at = index - 1; at >= Math.max(0, index - MOST_BACK); at -= 1) {
    if (isUser(turns[at]?.message.role ?? '') !== own) continue;
    const typed = notesOf(placeOf(turns, at, chat), null).findLast((one) => one.typed !== null)?.typed;
    if (typed !== undefined) return typed;
  }
  return null;
};

const SHORTEST_NICKNAME = 3;

const chatOf = (messages: readonly WindowMessage[]): Chat => {
  const isNamed = (side: (role: string) => boolean): boolean =>
    messages.some((message) => side(message.role) && nameGiven(message) !== null);
  const given = new Set(messages.map((message) => nameGiven(message)?.toLowerCase() ?? ''));
  const names = [...given]
    .flatMap((name) => name.split(/\s+/))
    .flatMap((name) =>
      Array.from({ length: Math.max(0, name.length - SHORTEST_NICKNAME + 1) }, (_, at) =>
        name.slice(0, at + SHORTEST_NICKNAME),
      ),
    );
  return { isChat: isNamed(isUser) && isNamed(isAssistant), names: new Set(names) };
};

/** What the other side said last, and whether this side has already answered it. */
const before = (turns: readonly Turn[], index: number): Place['before'] => {
  const own = isUser(turns[index]?.message.role ?? '');
  let isAnswered = false;
  for (let at = index - 1; at >= 0; at -= 1) {
    const turn = turns[at] as Turn;
    if (isUser(turn.message.role) !== own) return { turn, isAnswered };
    isAnswered ||= turn.sentences.some(({ text }) => contentOf(text, turn.lexicon) > 0 || NUMBER.test(text));
  }
  return null;
};

const NUMBER = /\p{N}/u;
/** A second message still answers the same question if it is no longer than this. */
const CONTENT_OF_FURTHER_ANSWER = 3;

const notesOf = (place: Place, only: RecordCategory | null): NoteOfTurn[] => {
  const { turn, before, chat } = place;
  const { isChat, names } = chat;
  const { message, lexicon, sentences } = turn;
  // What was not heard is no commitment. A question that was cut off may still be answered.
  if (message.isCut === true) return [];
  const isAgent = isAssistant(message.role) && !isChat;
  const isAsking = isAgent && (before === null || sentences.some(({ text }) => asksSomething(text, lexicon)));
  const setting: Setting = { lexicon, isAgent, isChat, names, isAsking };
  const question = before === null ? null : questionIn(before.turn, isChat);
  // "Anything else?" – "No, I have what I need."
  const isLeave = ({ text }: Span): boolean =>
    lexicon.denies.test(text) && !hasSpecifics(text, lexicon, names) && !isQuestion(text);
  const isOffered = question !== null && lexicon.offersHelp.test(question.text);
  const judged = sentences
    .filter((span) => !isOffered || isAgent || !isLeave(span))
    .map((span): Judged => ({ span, category: worthOf(span.text, setting) }));
  if (only !== null) {
    // A preference is the user's own.
    const wanted = isUser(message.role) ? judged.filter(isKept).filter(({ category }) => category === only) : [];
    return typedNotes(place, wanted, null);
  }
  if (isAgent) return agentsNotes(place, judged, question);
  const isFurther = before?.isAnswered === true;
  const says = ({ text }: Span): boolean => contentOf(text, lexicon, names) > 0 || NUMBER.test(text);
  if (question !== null && !isFurther) {
    const isConsent = judged.every(({ span, category }) => category === null || !says(span));
    const consent = isConsent ? consentTo(place, question) : null;
    if (consent !== null) return [consent];
  }
  // What directly follows a question is its answer.
  const first = judged.find(({ span }) => says(span));
  const answers =
    question?.asks === true &&
    first !== undefined &&
    (isAnswerTo(first.span.text, setting) ||
      // "Can you come on Tuesday?" – "Could I come the evening before?"
      (first.category === 'request' && hasSpecifics(question.text, lexicon))) &&
    !(isFurther && !isFurtherAnswer(first.span.text, question, lexicon));
  if (
    answers &&
    first.category === null &&
    contentOf(first.span.text, lexicon, names) >= (isChat ? CONTENT_IN_CHAT : 0)
  )
    first.category = 'fact';
  // What follows an answer belongs to it.
  if (answers && !isChat)
    for (const one of judged.slice(judged.indexOf(first) + 1))
      if (one.category === null && isAnswerTo(one.span.text, setting) && isDetail(one.span.text, lexicon))
        one.category = 'fact';
  const kept = judged.filter(isKept);
  if (isChat && !answers && !kept.some(({ span }) => isTelling(span.text, setting))) return [];
  const framed = answers && kept[0] === first && !(isOffered && !isChat) ? question : null;
  return typedNotes(place, kept, framed);
};
const CONTENT_IN_CHAT = 2;
const CONTENT_OF_A_DETAIL = 2;
const isDetail = (text: string, lexicon: Lexicon): boolean =>
  contentOf(text, lexicon) >= CONTENT_OF_A_DETAIL && !lexicon.addresses.test(text);

/** What an agent did, promised or stated; and its answer to a question, if it has something to write down. */
const agentsNotes = (place: Place, judged: readonly Judged[], question: Question | null): NoteOfTurn[] => {
  const { turn, next } = place;
  const { lexicon } = turn;
  // What the user agrees to is quoted with the consent.
  const isAgreed = next !== null && isUser(next.message.role) && isConsentTo(next, turn);
  const asked = question?.asks === true && contentOf(question.text, lexicon) >= CONTENT_OF_A_QUESTION ? question : null;
  const answers =
    asked === null
      ? []
      : judged.filter(
          ({ span, category }) =>
            category !== 'commitment' &&
            !isQuestion(span.text) &&
            !lexicon.asks.test(span.text) &&
            isAnAnswer(span.text, lexicon),
        );
  const kept = judged
    .filter(isKept)
    .filter((one) => one.category === 'commitment' || (!isAgreed && !answers.includes(one)));
  return [
    ...typedNotes(place, kept, null),
    ...(answers.length === 0
      ? []
      : note(
          place,
          judged.filter((one) => answers.includes(one) || isBetween(one, answers, lexicon)).map(({ span }) => span),
          asked,
          'fact',
          null,
        )),
  ];
};
/** A question with details before the end of an answer: "I found nine. How about the Azure? It has four stars." */
const isBetween = ({ span }: Judged, answers: readonly Judged[], lexicon: Lexicon): boolean =>
  isQuestion(span.text) && hasSpecifics(span.text, lexicon) && span.end < (answers.at(-1)?.span.end ?? 0);
/** Of a question to the agent whose answer is noted. */
const CONTENT_OF_A_QUESTION = 1;
const CONTENT_OF_AN_ANSWER = 3;
const isAnAnswer = (text: string, lexicon: Lexicon): boolean =>
  tellsDetails(text, lexicon) ||
  (contentOf(text, lexicon) >= CONTENT_OF_AN_ANSWER && !lexicon.passing.test(text) && !lexicon.offersHelp.test(text));

/** Several things were asked for, or anything at all: the next message may answer that, if it is short. */
const isFurtherAnswer = (text: string, question: Question, lexicon: Lexicon): boolean => {
  const content = contentOf(text, lexicon);
  const isMoreThanAWord = content >= CONTENT_OF_A_DETAIL && lexicon.offersHelp.test(question.text);
  return (
    (question.sentences.length > 1 || isMoreThanAWord) &&
    content <= CONTENT_OF_FURTHER_ANSWER &&
    !lexicon.self.test(text)
  );
};

const isAnswerTo = (text: string, { lexicon }: Setting): boolean =>
  !isQuestion(text) && !lexicon.passing.test(text) && !lexicon.offersHelp.test(text) && !isThanks(text, lexicon);

interface Judged {
  readonly span: Span;
  category: RecordCategory | null;
}
const isKept = (one: Judged): one is Judged & Kept => one.category !== null;
