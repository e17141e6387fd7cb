import type { Quote } from './frame.js';
import { wordsIn } from './languages/language.js';
import type { Lexicon } from './languages/lexicon.js';
import type { Span } from './sentences.js';
import { isUser } from './speakers.js';
import { type Place, type Question, runOf, type Turn } from './turn.js';
import { toldNameIn } from './values.js';
import { contentOf, holdsName, isGreeting } from './worth.js';

/** Turns back to what a statement is about. */
const MOST_BACK = 8;
/** A statement that names something and has this much content needs nothing before it. */
const CONTENT_BESIDE_A_NAME = 5;
/** The same without a name: between friends, and for what a caller says unasked. */
const [CONTENT_IN_CHAT, CONTENT_UNASKED] = [14, 2];
/** A question with less content is about what its listener said before. */
const CONTENT_OF_A_QUESTION = 3;
/** Of a sentence that tells what a call is about. */
const [CONTENT_OF_A_TOPIC, CONTENT_OF_AN_ANSWER] = [2, 3];
const LONGEST_TAIL = 240;

/**
 * What a statement is about, if it does not tell itself: "The price is $24." after "I need a cab to the Clover Theatre."
 *
 * @param said sentences of the turn that are quoted
 * @param asked the question that they answer, as it is quoted
 */
export const contextOf = (place: Place, said: readonly Span[], asked: Question | null): Quote | null => {
  const { turn, chat } = place;
  const texts = [...said.map(({ text }) => text), ...(asked === null ? [] : [asked.text])];
  const content = texts.reduce((sum, text) => sum + contentOf(text, turn.lexicon, chat.names), 0);
  // An answer with a name may answer a question about "it".
  const isNamed = (asked === null ? texts : [asked.text]).some((text) => holdsName(text, turn.lexicon, chat.names));
  const isUsers = isUser(turn.message.role);
  if (isNamed && (content >= CONTENT_BESIDE_A_NAME || (isUsers && asked === null))) return null;
  if (chat.isChat) return content >= CONTENT_IN_CHAT ? null : remarkBefore(place, said, asked);
  return isUsers && asked === null && content >= CONTENT_UNASKED ? null : topicBefore(place, said, asked);
};

/** In a call: the nearest sentence with a name or with what the caller wants, or else the caller's nearest one. */
const topicBefore = ({ turns, index }: Place, said: readonly Span[], asked: Question | null): Quote | null => {
  let told: Quote | null = null;
  const from = asked === null ? index : index - 1;
  for (let at = from; at >= Math.max(0, index - MOST_BACK); at -= 1) {
    const turn = turns[at] as Turn;
    const { message, sentences, lexicon } = turn;
    // Its end may not have been heard.
    if (message.isCut === true) continue;
    const open =
      at === index
        ? sentences.filter(({ end }) => end <= (said[0]?.start ?? 0))
        : sentences.filter(({ text }) => message !== asked?.message || !asked.text.includes(text));
    for (const span of open.toReversed()) {
      const { text } = span;
      const content = contentOf(text.replaceAll(/\p{N}/gu, ' '), lexicon, numberWords(lexicon));
      const isUsers = isUser(message.role);
      if (content === 0 || !isTopic(text, lexicon, isUsers)) continue;
      if (holdsName(text, lexicon)) return upTo(turn, span);
      if (content < CONTENT_OF_A_TOPIC || !isUsers) continue;
      // A number is no topic. What an agent says directly after anything else is about it.
      const isAnswered = at === index - 1 && asked === null && !NUMBER.test(text);
      if (isAnswered || lexicon.wants.test(text)) return { message, text };
      if (content >= CONTENT_OF_AN_ANSWER && !NUMBER.test(text)) told ??= { message, text };
    }
  }
  return told;
};

const NUMBER = /\p{N}{3}/u;

/** What a caller is called, what was booked, and what an agent says on every call is no topic. */
const isTopic = (text: string, lexicon: Lexicon, isUsers: boolean): boolean =>
  wordsIn(text).length >= SHORTEST_TOPIC &&
  !isGreeting(text) &&
  toldNameIn(text, lexicon) === null &&
  !lexicon.offersHelp.test(text) &&
  !lexicon.passing.test(text) &&
  (isUsers || !lexicon.commits.test(text));
/** In words, of any kind: "Ann Lee." is no topic. */
const SHORTEST_TOPIC = 3;

const numberWords = ({ numbers: { values } }: Lexicon): { has(word: string): boolean } => values;

/** A sentence with those directly before it. */
const upTo = ({ message, sentences }: Turn, to: Span): Quote => ({
  message,
  text: runOf(message, sentences, { from: null, to, most: LONGEST_TAIL }),
});

/** Between friends: the sentence before it; the end of what the other side said; or what that side asked about. */
const remarkBefore = (place: Place, said: readonly Span[], asked: Question | null): Quote | null => {
  const { turn, before, turns, index, chat } = place;
  if (asked !== null) {
    if (contentOf(asked.text, turn.lexicon, chat.names) >= CONTENT_OF_A_QUESTION) return null;
    const own = turns
      .slice(0, index)
      .findLast(({ message }) => message.sequence < asked.message.sequence && message.role === turn.message.role);
    return own === undefined ? null : tailOf(own, place);
  }
  const own = turn.sentences.findLast(({ end }) => end <= (said[0]?.start ?? 0));
  if (own !== undefined && contentOf(own.text, turn.lexicon, chat.names) >= CONTENT_OF_A_TOPIC)
    return { message: turn.message, text: own.text };
  return before === null ? null : tailOf(before.turn, place);
};

/** The last sentences of a turn. */
const tailOf = (turn: Turn, { chat }: Place): Quote | null => {
  const last = turn.sentences.at(-1);
  if (last === undefined || turn.message.isCut === true) return null;
  const tail = upTo(turn, last);
  return contentOf(tail.text, turn.lexicon, chat.names) >= CONTENT_OF_AN_ANSWER ? tail : null;
};
