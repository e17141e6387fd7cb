import { takenBackBy } from './corrections.js';
import type { Quote } from './frame.js';
import { words } from './languages/lexicon.js';
import type { Span } from './sentences.js';
import { isUser } from './speakers.js';
import { type Chat, type Place, type Question, runOf, type Turn } from './turn.js';
import { asksSomething, contentOf, FAILS, holdsName } from './worth.js';

/** Turns back to what a statement is about. */
const MAX_BACK = 12;
/** A statement with a name and this much content needs nothing before it. */
const CONTENT_BESIDE_A_NAME = 4;
/** The same without a name: between friends, in a call, of what a caller says unasked, and wants done. */
const [CONTENT_IN_CHAT, CONTENT_IN_CALL, CONTENT_UNASKED, CONTENT_OF_A_REQUEST] = [8, 5, 1.5, 3];
/** With less, and nothing before it that tells more, it is unclear what it is about. */
const [LEAST_IN_CHAT, LEAST_IN_CALL] = [4, 3];
/** Of a sentence that tells what a statement is about. */
const [CONTENT_OF_A_TOPIC, CONTENT_OF_A_WISH] = [3, 2];
const LONGEST_QUOTE = 240;
/** Points to what was said before. */
export const POINTING = words(
  `it|its|they|them|here|this|that|those|these|he|she|es|das|dies\\p{L}*|eso?|esto|il|elle|ils|c['’]est|ça|isso|isto|đó|nó`,
);
const POINTING_FIRST = new RegExp(`^[\\s¿]*(?:${POINTING.source})`, 'iu');

/**
 * What a statement is about: the nearest earlier sentence that tells it, with those directly before it.
 *
 * @param said sentences of the turn that are quoted
 * @param asked the question that they answer, as it is quoted
 * @returns null if the statement needs none; undefined if it does, and no sentence tells it
 */
export const contextOf = (place: Place, said: readonly Span[], asked: Question | null): Quote | null | undefined => {
  const { turn, turns, index, chat } = place;
  const { lexicon } = turn;
  const own = said.map(({ text }) => text).join(' ');
  // A number says nothing of what it is about.
  const all = [asked?.text ?? '', own].join(' ').replaceAll(/\p{N}/gu, ' ');
  const content = contentOf(all, lexicon, chat.empty);
  const isUsers = chat.isChat || isUser(turn.message.role);
  const isUnasked = isUsers && asked === null;
  // "It's 40 euros" points to its question, which may point further back. Long sentences explain their pronouns.
  const points = chat.isChat && asked === null ? POINTING_FIRST : POINTING;
  const isPointing = (chat.isChat ? asked === null : content < CONTENT_IN_CHAT) && points.test(asked?.text ?? own);
  const isNamed = holdsName(asked?.text ?? own, lexicon, chat.empty);
  const unasked = lexicon.wants.test(own) ? CONTENT_OF_A_REQUEST : CONTENT_UNASKED;
  const enough = chat.isChat ? CONTENT_IN_CHAT : isUnasked ? unasked : CONTENT_IN_CALL;
  const isTaste = isUnasked && lexicon.prefers.test(own) && !POINTING.test(own);
  const isTelling = content >= enough || (isNamed && ((isUnasked && !chat.isChat) || content >= CONTENT_BESIDE_A_NAME));
  if (isTaste || (isTelling && !isPointing)) return null;
  for (let at = index; at >= Math.max(0, index - MAX_BACK); at -= 1) {
    const before = turns[at] as Turn;
    // Its end may not have been heard.
    if (before.message.isCut === true || before.message === asked?.message) continue;
    const open = before.sentences.filter(({ end }) => at < index || end <= (said[0]?.start ?? 0));
    const topic = open.findLast(({ text }) => isTopic(text, before, chat) && isValid(place, at, text));
    if (topic !== undefined) {
      const text = runOf(before.message, open, { from: null, to: topic, most: LONGEST_QUOTE });
      return { message: before.message, text };
    }
  }
  const least = chat.isChat ? LEAST_IN_CHAT : isUnasked ? 0 : LEAST_IN_CALL;
  const isLost = isUnasked ? POINTING_FIRST.test(own) : isPointing;
  return isLost || content < least ? undefined : null;
};

/** Whether it has not been taken back since, and was agreed to if it asked for consent. */
const isValid = ({ turns, index, chat }: Place, at: number, text: string): boolean => {
  if (chat.isChat || at === index) return true;
  const { message, lexicon, sentences } = turns[at] as Turn;
  const [reply, then] = turns.slice(at + 1, at + 3);
  if (then?.sentences.some((one) => FAILS.test(one.text)) === true) return false;
  const isAgreed = reply !== undefined && reply.lexicon.agrees.test(reply.message.content);
  // "Four seats for the circus. Is that right?" – "No, two."
  const isRefused =
    reply !== undefined && isUser(reply.message.role) && reply.lexicon.denies.test(reply.message.content);
  if (isRefused && !isUser(message.role) && sentences.some((one) => asksSomething(one.text, lexicon))) return false;
  const back = takenBackBy(turns.slice(0, index + 1), at, text);
  return (isUser(message.role) || isAgreed || !asksSomething(text, lexicon)) && back === null && !FAILS.test(text);
};

/** Between friends, a sentence with content; in a call, one with a name or what the caller wants. */
const isTopic = (text: string, { lexicon, message }: Turn, { isChat, empty }: Chat): boolean => {
  const content = contentOf(text.replaceAll(/\p{N}/gu, ' '), lexicon, empty);
  if (lexicon.smallTalk.test(text)) return false;
  if (isChat) return content >= CONTENT_OF_A_TOPIC;
  const isWish = isUser(message.role) && content >= CONTENT_OF_A_WISH && lexicon.wants.test(text);
  // What an agent did may be undone, and is noted on its own.
  const isDone = !isUser(message.role) && lexicon.commits.test(text);
  return isWish || (!isDone && content >= CONTENT_OF_A_TOPIC && holdsName(text, lexicon, empty));
};
