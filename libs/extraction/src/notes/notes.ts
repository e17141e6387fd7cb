import type { ExistingRecord } from '@turnkeeper/application';
import type { RecordCategory, WindowMessage } from '@turnkeeper/domain';
import { holdsSecret } from '../secrets/secrets.js';
import { consented, consentTo, isBareYes } from './consents.js';
import { POINTING } from './context.js';
import { corrected, withOutcomes } from './corrections.js';
import { isInjection } from './injection.js';
import { lexiconsOf, wordsIn } from './languages/language.js';
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
import { asksSomething, contentOf, hasSpecifics, isThanks, OFFER, type Setting, tokensOf, worthOf } from './worth.js';
import { typedNotes } from './write-notes.js';

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
  const turns = all.map((message, index): Turn => {
    const whole = sentencesOf(message.content);
    const open = secrets.open(message, whole).filter(({ text }) => !holdsSecret(text));
    if (whole.some((span) => !open.includes(span))) skip(message, 'secret');
    return { message, lexicon: lexicons[index] as Lexicon, sentences: open.filter(isQuotable) };
  });
  const chat = chatOf(turns);
  const notes = turns.flatMap(({ message }, index) =>
    inWindow.has(message.eventId) ? notesOf(placeOf(turns, index, chat), only) : [],
  );
  const standing = corrected(notes, existing);
  return { notes: chat.isChat ? standing : withOutcomes(standing, turns), skipped: countSkipped(skipped) };
};

const placeOf = (turns: readonly Turn[], index: number, chat: Chat): Place => ({
  ...{ turns, index, chat, turn: turns[index] as Turn, next: turns[index + 1] ?? null },
  before: before(turns, index),
  earlier: () => earlierValue(turns, index, chat),
});

/** Messages back to the value that a speaker corrects. */
const MAX_BACK = 4;

/** The value that the same side gave last. */
const earlierValue = (turns: readonly Turn[], index: number, chat: Chat): Typed | null => {
  const own = isUser(turns[index]?.message.role ?? '');
  for (let at = index - 1; at >= Math.max(0, index - MAX_BACK); at -= 1) {
    if (isUser(turns[at]?.message.role ?? '') !== own) continue;
    const typed = notesOf(placeOf(turns, at, chat), null).findLast((one) => one.typed !== null)?.typed;
    if (typed !== undefined) return typed;
  }
  return null;
};

const SHORTEST_NICKNAME = 3;

const chatOf = (turns: readonly Turn[]): Chat => {
  const isNamed = (side: (role: string) => boolean): boolean =>
    turns.some(({ message }) => side(message.role) && nameGiven(message) !== null);
  const isChat = isNamed(isUser) && isNamed(isAssistant);
  const given = turns.flatMap(({ message }) => nameGiven(message)?.toLowerCase().split(/\s+/) ?? []);
  const names = [...new Set(given)].flatMap((name) =>
    Array.from({ length: Math.max(0, name.length - SHORTEST_NICKNAME + 1) }, (_, at) =>
      name.slice(0, at + SHORTEST_NICKNAME),
    ),
  );
  const feelings = isChat ? [...new Set(turns.map(({ lexicon }) => lexicon.feelings ?? []))] : [];
  return { isChat, empty: new Set([...names, ...feelings.flatMap((words) => [...words])]) };
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
/** Of an answer, and of what is said after it: less tells nothing. */
const CONTENT_OF_A_DETAIL = 2;
/** Of what a friend tells unasked, without a number, a name or a day. */
const CONTENT_IN_CHAT = 5;
/** A shorter answer between friends needs no content: "Every day." */
const WORDS_OF_A_HOLLOW_ANSWER = 8;
/** Of a request that tells little. */
const CONTENT_OF_AN_OPENING = 3;

const notesOf = (place: Place, only: RecordCategory | null): NoteOfTurn[] => {
  const { turn, before, next, chat } = place;
  const { isChat, empty } = chat;
  const { message, lexicon, sentences } = turn;
  // What was not heard is no commitment. A question that was cut off may still be answered.
  if (message.isCut === true) return [];
  const isAgent = isAssistant(message.role) && !isChat;
  const isAsking = isAgent && (before === null || sentences.some(({ text }) => asksSomething(text, lexicon)));
  const setting: Setting = { lexicon, isAgent, isChat, empty, isAsking };
  const question = before === null ? null : questionIn(before.turn, isChat);
  const isOffered = question !== null && lexicon.smallTalk.test(question.text);
  // "Anything else?" – "No, I have what I need."
  const isLeave = (text: string): boolean =>
    isOffered && !isAgent && lexicon.denies.test(text) && !hasSpecifics(text, lexicon, empty) && !isQuestion(text);
  const judged = sentences
    .filter(({ text }) => !isLeave(text))
    .map((span): Judged => ({ span, category: worthOf(span.text, setting) }));
  if (only !== null) {
    // A preference is the user's own.
    const wanted = isUser(message.role) ? judged.filter(isKept).filter(({ category }) => category === only) : [];
    return typedNotes(place, wanted, null);
  }
  if (isAgent) return agentsNotes(place, judged, question);
  const says = ({ span: { text } }: Judged): boolean => contentOf(text, lexicon, empty) > 0 || NUMBER.test(text);
  const asked = before?.isAnswered === true ? null : question;
  if (asked !== null && !isChat && judged.every((one) => one.category === null || !says(one))) {
    const consent = consentTo(place, asked);
    if (consent !== null) return [consent];
  }
  // What directly follows a question is its answer.
  // "You look great!" and "Love the colours!" answer nothing.
  const isRemark = (text: string): boolean =>
    isChat && !lexicon.self.test(text) && (lexicon.addresses.test(text) || empty.has(wordsIn(text)[0] ?? ''));
  const first = judged.find((one) => says(one) && !isRemark(one.span.text));
  const isAnswer = (text: string, least: number): boolean =>
    contentOf(text, lexicon, empty) >= least &&
    !isQuestion(text) &&
    !lexicon.smallTalk.test(text) &&
    !isThanks(text, lexicon);
  const answers =
    asked !== null &&
    first !== undefined &&
    // "Can you come on Tuesday?" – "Could I come the evening before?"
    (isAnswer(first.span.text, isChat ? CONTENT_OF_A_DETAIL : 0) || first.category === 'request');
  // "No, I didn't. But …" is answered by its beginning.
  const lead = answers
    ? judged.slice(0, judged.indexOf(first)).filter(({ span }) => lexicon.denies.test(span.text))
    : [];
  for (const one of answers ? [...lead, first] : []) one.category ??= 'fact';
  // What follows an answer, or what a friend tells, belongs to it.
  const from = answers ? judged.indexOf(first) : judged.findIndex((one) => isChat && isKept(one));
  for (const one of from < 0 ? [] : judged.slice(from + 1))
    if (isAnswer(one.span.text, CONTENT_OF_A_DETAIL) && !lexicon.addresses.test(one.span.text)) one.category ??= 'fact';
  const kept = judged.filter(isKept);
  const told = kept.map(({ span }) => span.text).join(' ');
  const isTelling =
    hasSpecifics(told, lexicon, empty) ||
    contentOf(told, lexicon, empty) >= CONTENT_IN_CHAT ||
    kept.some(({ span, category }) => category === 'preference' && !POINTING.test(span.text));
  // "It was so cool to see what a difference we can make!" tells nothing, "Yes, it was cool" does.
  const isReply = first !== undefined && [lexicon.agrees, lexicon.denies].some((words) => words.test(first.span.text));
  const isHollow = !isTelling && !isReply && tokensOf(told, lexicon).length >= WORDS_OF_A_HOLLOW_ANSWER;
  if (isChat && (answers ? isHollow : !isTelling)) return [];
  // The answers to what the agent then asks will quote it.
  const isOpening =
    !isChat &&
    next !== null &&
    questionIn(next, false) !== null &&
    kept.every(({ category }) => category === 'request') &&
    !hasSpecifics(told, lexicon, empty) &&
    contentOf(told, lexicon) <= CONTENT_OF_AN_OPENING;
  if (isOpening && (!answers || isOffered)) return [];
  const isWhole = isOffered && !isChat && (lexicon.self.test(told) || contentOf(told, lexicon) > CONTENT_OF_A_DETAIL);
  const isAnswered = answers && kept[0] === (lead[0] ?? first);
  return typedNotes(place, kept, isAnswered && !isWhole ? asked : null);
};

/** What an agent did, promised or stated; and its answer to a question, if it has something to write down. */
const agentsNotes = (place: Place, judged: readonly Judged[], question: Question | null): NoteOfTurn[] => {
  const { turn, next } = place;
  const { lexicon, sentences } = turn;
  const own = questionIn(turn, false);
  const heard = new Set(place.before?.turn.sentences.flatMap(({ text }) => tokensOf(text, lexicon)));
  // Not only what the caller has just said.
  const isNews = (text: string): boolean =>
    tokensOf(text, lexicon).some((word) => !heard.has(word) && (NUMBER.test(word) || contentOf(word, lexicon) > 0));
  // What the user agrees to is quoted with the consent.
  const isAgreed = next !== null && own !== null && isUser(next.message.role) && consented(next, own) !== null;
  // "Yes, try that please." asks for no answer.
  const asks =
    question !== null &&
    contentOf(question.text, lexicon) > 0 &&
    !isBareYes((place.before as NonNullable<Place['before']>).turn);
  const asked = asks ? question : null;
  const [reply] = next === null || !isUser(next.message.role) ? [] : next.sentences;
  // "Is there another one?"
  const isDeclined =
    reply !== undefined && [lexicon.denies, lexicon.another, /\belse\b/i].some((words) => words.test(reply.text));
  const answers = judged.filter(
    ({ span: { text }, category }) =>
      asked !== null &&
      category !== 'commitment' &&
      !isDeclined &&
      (isNews(text) || lexicon.denies.test(text)) &&
      !asksSomething(text, lexicon) &&
      contentOf(text, lexicon) >=
        (hasSpecifics(text, lexicon) || lexicon.denies.test(text) ? CONTENT_OF_A_DETAIL : CONTENT_OF_AN_ANSWER) &&
      !lexicon.smallTalk.test(text) &&
      !OFFER.test(text),
  );
  const isOffering = isAgreed || isDeclined || sentences.some(({ text }) => OFFER.test(text));
  // "Yes. Where is it?" – "I have booked it. It is on Mill Lane."
  const isConfirming =
    place.before !== null &&
    place.before.turn.lexicon.agrees.test(place.before.turn.message.content) &&
    !isBareYes(place.before.turn);
  const kept = judged.flatMap((one): Kept[] => {
    const { span, category } = one;
    if (category === 'commitment') return [{ span, category }];
    if (answers.includes(one) || (category !== null && !isOffering && isNews(span.text)))
      return [{ span, category: 'fact' }];
    const isDone = isConfirming && lexicon.commits.test(span.text) && !lexicon.smallTalk.test(span.text);
    return isDone && !asksSomething(span.text, lexicon) ? [{ span, category: 'commitment' }] : [];
  });
  return typedNotes(place, kept, asked);
};
const CONTENT_OF_AN_ANSWER = 3;

interface Judged {
  readonly span: Span;
  category: RecordCategory | null;
}
const isKept = (one: Judged): one is Judged & Kept => one.category !== null;
