import { askedIn } from './attribute-table.js';
import { takenBackBy } from './corrections.js';
import type { Quote } from './frame.js';
import { words } from './languages/lexicon.js';
import { isQuestion, type Span } from './sentences.js';
import { isUser } from './speakers.js';
import { type Chat, type Place, type Question, runOf, type Turn } from './turn.js';
import { asksSomething, contentOf, FAILS, holdsName } from './worth.js';

/** Turns back to what a statement is about. */
const MAX_BACK = 12;
/** A statement with a name and this much content needs nothing before it. */
const CONTENT_BESIDE_A_NAME = 4;
/** The same without a name: between friends, in a call, and of what a caller says unasked. */
const [CONTENT_IN_CHAT, CONTENT_IN_CALL, CONTENT_UNASKED] = [8, 5, 1.5];
/** With less, and nothing before it that tells more, it is unclear what it is about. */
const [LEAST_IN_CHAT, LEAST_IN_CALL] = [4, 3];
/** Of a sentence that tells what a statement is about. */
const CONTENT_OF_A_TOPIC = 3;
const LONGEST_QUOTE = 240;
/** Characters in which a friend points to what was said before; later ones point to the friend's own words. */
const LEAD = 30;
/** Points to what was said before. */
export const POINTING = words(
  `it|its|they|them|here|(?<!(?:is|are|was|were|not) )there(?! (?:is|are|was|were))|this|that|those|these|he|she|es|das|dies\\p{L}*|eso?|esto|il|elle|ils|c['’]est|ça|isso|isto|đó|nó`,
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
  const { turn, chat } = place;
  const { lexicon } = turn;
  const own = said.map(({ text }) => text).join(' ');
  // A number says nothing of what it is about.
  const all = [asked?.text ?? '', own].join(' ').replaceAll(/\p{N}/gu, ' ');
  const content = contentOf(all, lexicon, chat.empty);
  const isUsers = chat.isChat || isUser(turn.message.role);
  const isUnasked = isUsers && asked === null;
  // "It's 40 euros" points to its question, which may point further back. Long sentences explain their pronouns.
  const isPointing =
    (chat.isChat || content < CONTENT_IN_CHAT) &&
    POINTING.test(asked?.text ?? (chat.isChat ? own.slice(0, LEAD) : own));
  const isNamed = holdsName(asked?.text ?? own, lexicon, chat.empty);
  const enough = chat.isChat ? CONTENT_IN_CHAT : isUnasked ? CONTENT_UNASKED : CONTENT_IN_CALL;
  // "The average temperature is 83 degrees." does not say where.
  const isReport = !isUsers && asked === null;
  const isClear = content >= enough || (isNamed && ((isUnasked && !chat.isChat) || content >= CONTENT_BESIDE_A_NAME));
  // "How much is it?" is about what was spoken of before.
  const isOpen = !isUsers && asked !== null && !isNamed && asksSomething(asked.text, lexicon);
  // "And your e-mail address?" is about the caller.
  const isOfCaller = isUsers && askedIn(asked?.text ?? '').some(({ kind }) => /^(?:name|phone|email)$/.test(kind));
  if (isOfCaller || (isClear && !isPointing && !isOpen))
    return isReport ? topicOf(place, said, asked, { isNamed: true, back: 1 }) : null;
  // What "the address" is that of has a name.
  const named = isOpen ? topicOf(place, said, asked, { isNamed: true, back: MAX_BACK }) : null;
  const topic = named ?? topicOf(place, said, asked, { isNamed: false, back: MAX_BACK });
  if (topic !== null) return topic;
  const least = chat.isChat ? LEAST_IN_CHAT : isUnasked ? 0 : LEAST_IN_CALL;
  const isLost = isUnasked ? POINTING_FIRST.test(own) : isPointing;
  // "And the other one?"
  const isVague = isOpen && contentOf(asked.text, lexicon) < CONTENT_OF_A_TOPIC;
  return isLost || isVague || content < least ? undefined : null;
};

const topicOf = (
  place: Place,
  said: readonly Span[],
  asked: Question | null,
  { isNamed, back }: { readonly isNamed: boolean; readonly back: number },
): Quote | null => {
  const { turns, index, chat, turn } = place;
  for (let at = chat.isChat ? index - 1 : index; at >= Math.max(0, index - back); at -= 1) {
    const before = turns[at] as Turn;
    // Its end may not have been heard.
    if (before.message.isCut === true || before.message === asked?.message) continue;
    const open = before.sentences.filter(({ end }) => at < index || end <= (said[0]?.start ?? 0));
    // "How much is in the gold pot?" – "It has 3,232 dollars."
    const isRepliedTo = !chat.isChat && asked === null && !isUser(turn.message.role) && isUser(before.message.role);
    const tells = (text: string): boolean =>
      (isTopic(text, before, chat) && (!isNamed || holdsName(text, before.lexicon, chat.empty))) ||
      (isRepliedTo && at === index - 1 && isTelling(text, before));
    // A friend's message as a whole tells what the next one is about.
    const topic = chat.isChat ? open.at(-1) : open.findLast(({ text }) => tells(text) && isValid(place, at, text));
    if (topic === undefined) continue;
    const text = runOf(before.message, open, { from: null, to: topic, most: LONGEST_QUOTE });
    if (!chat.isChat || tells(text)) return { message: before.message, text };
  }
  return null;
};

const isTelling = (text: string, { lexicon }: Turn): boolean =>
  contentOf(text, lexicon) >= CONTENT_OF_A_TOPIC && !lexicon.smallTalk.test(text);

/** Whether it has not been taken back or refused since. */
const isValid = ({ turns, index, chat }: Place, at: number, text: string): boolean => {
  if (chat.isChat || at === index) return true;
  const { message, lexicon, sentences } = turns[at] as Turn;
  const [reply, then] = turns.slice(at + 1, at + 3);
  if (then?.sentences.some((one) => FAILS.test(one.text)) === true) return false;
  // "Four seats for the circus. Is that right?" – "No, two."
  const isRefused =
    reply !== undefined && isUser(reply.message.role) && reply.lexicon.denies.test(reply.message.content);
  if (isRefused && !isUser(message.role) && sentences.some((one) => asksSomething(one.text, lexicon))) return false;
  const back = takenBackBy(turns.slice(0, index + 1), at, text);
  return back === null && !FAILS.test(text);
};

/** Between friends, a sentence with content; in a call, one with a name or what the caller wants. */
const isTopic = (text: string, { lexicon, message }: Turn, { isChat, empty }: Chat): boolean => {
  const content = contentOf(text.replaceAll(/\p{N}/gu, ' '), lexicon, empty);
  if (lexicon.smallTalk.test(text)) return false;
  if (isChat) return content >= CONTENT_OF_A_TOPIC;
  const isWish = isUser(message.role) && content > 0 && lexicon.wants.test(text);
  // "May I have the phone number?" does not say whose.
  if (isWish && isQuestion(text) && askedIn(text).length > 0) return holdsName(text, lexicon, empty);
  // What an agent did may be undone, and is noted on its own.
  const isDone = !isUser(message.role) && lexicon.commits.test(text);
  return isWish || (!isDone && content >= CONTENT_OF_A_TOPIC && holdsName(text, lexicon, empty));
};
