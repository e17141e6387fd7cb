import { statementsIn, type Candidate, type WindowMessage } from '@turnkeeper/domain';
import { isCode } from './gates/code.js';
import { languageOf } from './gates/language.js';
import { isForeignLine } from './gates/quoted.js';
import { unrealIn } from './gates/unreal.js';
import { nameOf } from './person/cast.js';
import { isUser } from './rules/speakable.js';
import { isQuestion, sentencesOf } from './text/sentences.js';

/** Maximum number of sentences that one window adds to the summary, and their maximum length in characters. */
const MOST_SENTENCES = 4;
const LONGEST_SENTENCE = 220;
const DECISION =
  /\b(?:decided|agreed|booked|cancelled|signed|accepted|applied|passed|promoted|chose|bought|adopted|moved|quit|started|opened|launched|joined|is (?:starting|opening|launching|going to)|wants? to start|will|plans? to|got married|engaged|lost their job)\b/;
const NAME = /(?<=\p{L}[,;']{0,2} )\p{Lu}\p{L}+/gu;

/**
 * Extends the summary with the window's most informative sentences: decisions, named things and dates first, then the
 * user's open question. Each is a fact that the rules understood, so it makes sense on its own. If there are too few,
 * the most informative sentence is quoted.
 *
 * @returns null if there is neither a previous summary nor anything to add
 */
export const summarised = (
  before: string | null,
  facts: readonly Candidate[],
  messages: readonly WindowMessage[],
): string | null => {
  const ranked = facts
    .filter(({ text }) => text.length <= LONGEST_SENTENCE)
    .map((fact, index) => ({ text: fact.text, index, weight: weightOf(fact, index, facts.length) }))
    .toSorted((one, other) => other.weight - one.weight || one.index - other.index)
    .slice(0, MOST_SENTENCES)
    .toSorted((one, other) => one.index - other.index);
  // An earlier open question has been answered or passed over once the conversation continues.
  const soFar = before === null || messages.length === 0 ? (before ?? '') : before.replace(LEFT_OPEN, '').trim();
  const told = new Set(sentencesOf(soFar).map(({ text }) => text));
  const added = ranked.map(({ text }) => text).filter((text) => !told.has(text));
  const quoted = told.size + added.length < FEWEST_SENTENCES ? quotation(messages, facts) : null;
  const open = openQuestion(messages);
  const parts = [soFar, ...added, quoted ?? '', open ?? ''].filter((part) => part !== '');
  return parts.length === 0 ? null : parts.join(' ');
};

const LEFT_OPEN = / ?Left open: "[^"]*"$/;
/** A shorter summary also quotes the most informative sentence of the window. */
const FEWEST_SENTENCES = 2;
const SHORTEST_QUOTATION = 40;
const POLITE =
  /^(?:thanks?|thank you|wow|whoa|yeah|yep|cool|great|awesome|congrats|congratulations|sounds|glad|happy to|good to|nice|hey|hi|hello|sure|no problem|you're|that's|it's|take care|let me)\b/i;

/** The most informative sentence of a window in its speaker's words; null if all of it is small talk. */
const quotation = (messages: readonly WindowMessage[], facts: readonly Candidate[]): string | null => {
  const cited = new Set(facts.flatMap(({ sources }) => statementsIn(sources).map(({ eventId }) => eventId)));
  const best = messages
    .filter(({ eventId }) => !cited.has(eventId))
    .flatMap((message) => sentencesOf(message.content).map(({ text }) => ({ message, text })))
    .filter(
      ({ text }) =>
        text.length >= SHORTEST_QUOTATION &&
        text.length <= LONGEST_SENTENCE &&
        !isQuestion(text) &&
        !POLITE.test(text) &&
        !/["“”]/.test(text) &&
        !isCode(text) &&
        !isForeignLine(text) &&
        unrealIn(text) === null &&
        languageOf(text) !== 'other',
    )
    .map((candidate, index) => ({ ...candidate, weight: telling(candidate.text), index }))
    .toSorted((one, other) => other.weight - one.weight || one.index - other.index)[0];
  return best === undefined || best.weight === 0 ? null : `${nameOf(best.message)}: "${best.text}"`;
};

const telling = (text: string): number =>
  Math.min(3, text.match(NAME)?.length ?? 0) +
  (/\d/.test(text) ? 2 : 0) +
  (/\b(?:I|we|my|our|tôi|mình)\b/i.test(text) ? 2 : 0) +
  (DECISION.test(text) ? 2 : 0) -
  (/\byou(?:r|'re|’re)?\b/i.test(text) ? 1 : 0);

const weightOf = ({ text, eventTime }: Candidate, index: number, count: number): number =>
  (DECISION.test(text) ? 3 : 0) +
  Math.min(3, text.match(NAME)?.length ?? 0) +
  (eventTime === undefined || eventTime === null ? 0 : 1) +
  (/\d/.test(text) ? 1 : 0) +
  (index === 0 || index === count - 1 ? 1 : 0);

/** The user's last question, if no message followed it. */
const openQuestion = (messages: readonly WindowMessage[]): string | null => {
  const last = messages.at(-1);
  if (last === undefined || !isUser(last.role)) return null;
  const asked = sentencesOf(last.content).at(-1)?.text ?? '';
  return isQuestion(asked) && asked.length <= LONGEST_SENTENCE && !/["“”]/.test(asked) ? `Left open: "${asked}"` : null;
};
