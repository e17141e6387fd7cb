import type { ExtractionInput } from '@turnkeeper/application';
import { dayInWords, holdsContact, type Candidate, type WindowMessage } from '@turnkeeper/domain';
import { holdsSecret } from '../secrets/secrets.js';
import { isInjection } from '../notes/injection.js';
import { lexiconsOf } from '../notes/languages/language.js';
import { secretAnswersIn } from '../notes/secret-answers.js';
import { sentencesOf } from '../notes/sentences.js';
import { isSpoken, nameOf } from '../notes/speakers.js';

/** Participants named in the text; more are "others". */
const MAX_NAMED = 5;
/** Length in characters of a quote that only shows when and by whom something was said. */
const LONGEST_MARK = 80;

export type EpisodeInput = Pick<ExtractionInput, 'context' | 'messages' | 'contactDetails'>;

/**
 * The messages that an episode may rest on, oldest first: those of people and agents, without instructions, secrets, or
 * the contact details that records may not contain.
 */
export const messagesOf = ({ context, messages, contactDetails }: EpisodeInput): WindowMessage[] => {
  const spoken = [...context, ...messages]
    .filter((message) => isSpoken(message) && !isInjection(message.content))
    .toSorted((one, other) => one.sequence - other.sequence);
  const lexicons = lexiconsOf(spoken.map(({ content }) => content));
  const secrets = secretAnswersIn(spoken, lexicons);
  return spoken.filter((message) => {
    const sentences = sentencesOf(message.content);
    return (
      !holdsSecret(message.content) &&
      secrets.open(message, sentences).length === sentences.length &&
      (contactDetails !== 'refuse' || !holdsContact(message.content))
    );
  });
};

/**
 * An episode with the session's days and participants, taken from the messages themselves. The messages that prove them
 * are added to its sources: the first, the last, and one of each participant.
 */
export const datedEpisode = (
  input: EpisodeInput,
  { text, sources: quoted }: Pick<Candidate, 'text' | 'sources'>,
): Candidate => {
  const allowed = input.contactDetails === 'refuse' ? quoted.filter(({ quote }) => !holdsContact(quote)) : quoted;
  // Without any other source the episode is refused.
  const sources = allowed.length === 0 ? quoted : allowed;
  const messages = messagesOf(input).filter(({ at }) => dayInWords(at) !== null);
  const byTime = messages.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  const [first, last] = [byTime.at(0), byTime.at(-1)];
  if (first === undefined || last === undefined) return { text, sources };
  const speakers = new Map(messages.toReversed().map((message) => [nameOf(message), message]));
  const named = [...speakers].reverse().slice(0, MAX_NAMED);
  const names = [...named.map(([name]) => name), ...(speakers.size > MAX_NAMED ? ['others'] : [])];
  const [from, to] = [labelOf(first), labelOf(last)];
  const cited = new Set(sources.map(({ eventId }) => eventId));
  const marks = [first, last, messages.at(-1) ?? last, ...named.map(([, message]) => message)].filter(
    ({ eventId }) => !cited.has(eventId) && cited.add(eventId),
  );
  return {
    text: `Session ${from === to ? `on ${from}` : `from ${from} to ${to}`} with ${listed(names)}. ${text}`,
    sources: [...sources, ...marks.map((message) => ({ eventId: message.eventId, quote: markOf(message.content) }))],
    eventTime: { from: first.at.slice(0, 10), to: last.at.slice(0, 10) },
  };
};

const labelOf = ({ at }: WindowMessage): string => dayInWords(at) ?? '';

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** The beginning of a message, cut between characters. */
const markOf = (content: string): string =>
  content
    .trimStart()
    .slice(0, LONGEST_MARK)
    .replace(/[\uD800-\uDBFF]$/, '');
