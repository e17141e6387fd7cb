import { type CitedSource, holdsSecret, type WindowMessage } from '@turnkeeper/domain';
import { isInjection } from '../gates/injection.js';
import { languageOf } from '../gates/language.js';
import { hasContent, PERSON_NOUNS, TIME_NOUNS, tokensOf } from '../facts/tokens.js';
import { carriesFacts } from '../rules/speakable.js';
import { isQuestion, sentencesOf } from '../text/sentences.js';

/** Turns of one exchange around a fact: the speaker's neighbouring turns are two messages away. */
const SPEAKERS_TURN = 2;
/** How many further turns of the speaker may follow, each about the same thing or in answer to a follow-up question. */
const MOST_TURNS_AFTER = 3;
const STEM_LENGTH = 5;
/** A sentence is quoted up to here; a quote must be a verbatim part of the message. */
const LONGEST_QUOTE = 400;

/**
 * The exchange that a fact belongs to, as sources that explain it: the question that its message answers, what the
 * speaker says about the same thing in the turn before and in the next ones, and how they answer questions about it.
 * Another turn belongs to it if it shares a content word with the fact, or answers a question that follows up the fact or
 * the answer before.
 */
export class Exchange {
  private readonly stems = new Map<string, ReadonlySet<string>>();

  constructor(private readonly conversation: readonly WindowMessage[]) {}

  /**
   * @param fact text of the fact
   * @param stated ids of the messages that state it, in any order; the last one in the conversation counts
   * @param names of the speakers, which do not identify a fact's topic
   */
  contextOf(fact: string, stated: readonly string[], names: readonly string[]): CitedSource[] {
    const at = this.conversation.findLastIndex(({ eventId }) => stated.includes(eventId));
    const message = this.conversation[at];
    if (message === undefined) return [];
    const about = new Set([...stemsOf(fact)].filter((stem) => !names.some((name) => stemsOf(name).has(stem))));
    const turns: (CitedSource | null)[] = [
      this.turn(at - SPEAKERS_TURN, message, about),
      this.question(at - 1, message),
      ...this.turnsAfter(at, message, about),
    ];
    return turns.filter((source) => source !== null).filter(({ eventId }) => !stated.includes(eventId));
  }

  /** Stops at the first turn about something else. */
  private turnsAfter(at: number, message: WindowMessage, about: ReadonlySet<string>): CitedSource[] {
    const cited: CitedSource[] = [];
    let last = message;
    for (let n = 1; n <= MOST_TURNS_AFTER; n += 1) {
      const place = at + n * SPEAKERS_TURN;
      const turn = this.turn(place, message, about);
      const asked = turn === null ? this.question(place - 1, message) : null;
      const said = new Set([...this.stemsIn(message), ...this.stemsIn(last)]);
      const question = asked !== null && followsUp(asked.quote, said) ? asked : null;
      const answer = question === null ? null : this.answer(place, message);
      if (turn === null && answer === null) break;
      // An answer is not readable without its question.
      cited.push(...[answer === null ? null : question, turn ?? answer].filter((source) => source !== null));
      last = this.conversation[place] ?? last;
    }
    return cited;
  }

  /** The other side's question, if the given message of the speaker directly follows or precedes it. */
  private question(at: number, { role }: WindowMessage): CitedSource | null {
    const message = this.conversation[at];
    if (message === undefined || message.role === role || !isReadable(message)) return null;
    const asked = sentencesOf(message.content).findLast(({ text }) => isQuestion(text));
    return asked === undefined ? null : quoted(message, asked.text);
  }

  /** The sentence of the speaker's turn that shares most with the fact; null if none does. */
  private turn(at: number, { role }: WindowMessage, about: ReadonlySet<string>): CitedSource | null {
    const message = this.conversation[at];
    if (message === undefined || message.role !== role || !isReadable(message)) return null;
    if (![...this.stemsIn(message)].some((stem) => about.has(stem))) return null;
    const [best] = sentencesOf(message.content)
      .map(({ text }) => ({ text, shared: [...stemsOf(text)].filter((stem) => about.has(stem)).length }))
      .filter(({ text, shared }) => shared > 0 && !isQuestion(text))
      .sort((one, other) => other.shared - one.shared);
    return best === undefined ? null : quoted(message, best.text);
  }

  /** The first sentence with content. */
  private answer(at: number, { role }: WindowMessage): CitedSource | null {
    const message = this.conversation[at];
    if (message === undefined || message.role !== role || !isReadable(message)) return null;
    const said = sentencesOf(message.content).find(({ text }) => !isQuestion(text) && stemsOf(text).size > 1);
    return said === undefined ? null : quoted(message, said.text);
  }

  private stemsIn({ eventId, content }: WindowMessage): ReadonlySet<string> {
    const known = this.stems.get(eventId) ?? stemsOf(content);
    this.stems.set(eventId, known);
    return known;
  }
}

/** "Where did you buy it?", "What flavour?": the question is about what was just said, not a change of subject. */
const followsUp = (question: string, said: ReadonlySet<string>): boolean =>
  !CHANGES_SUBJECT.test(question) &&
  (/\b(?:it|its|they|them|their|that|this|those|these|there|he|him|his|she|her|one|ones)\b/i.test(question) ||
    [...stemsOf(question)].some((stem) => said.has(stem)) ||
    /^(?:how (?:did|was|were|long|many|much|old)|what (?:kind|type|sort|colou?r|flavou?r)|where|when|who|why|which)\b/i.test(
      question,
    ));
/** "Anything else going on?", "What about you?" */
const CHANGES_SUBJECT =
  /\b(?:(?:any|some)(?:thing|one) (?:else|new)|what else|(?:how|what) about you|how are (?:you|things)|how have you been|what(?:'s| is|’s) (?:new|up))\b/i;

const isReadable = (message: WindowMessage): boolean => carriesFacts(message) && !isInjection(message.content);

/** Secrets are never copied, and another language has no rules. */
const quoted = ({ eventId }: WindowMessage, sentence: string): CitedSource | null => {
  const quote = sentence.trim();
  return quote.length > LONGEST_QUOTE || holdsSecret(quote) || languageOf(quote) === 'other'
    ? null
    : { eventId, quote, context: true };
};

/** Stems of what a text is about: without empty words, days and "my friend". */
const stemsOf = (text: string): Set<string> =>
  new Set(
    tokensOf(text)
      .filter((token) => hasContent(token) && !TIME_NOUNS.has(token.key) && !PERSON_NOUNS.has(token.key))
      .map(({ key }) =>
        key
          .replace(/'s$/, '')
          .replace(/(?:ies|ing|ed|es|s|y|e)$/, '')
          .slice(0, STEM_LENGTH),
      )
      .filter((stem) => stem.length > 2),
  );
