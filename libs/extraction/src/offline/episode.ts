import { holdsSecret, type Candidate, type WindowMessage } from '@turnkeeper/domain';
import { datedEpisode, type EpisodeInput, messagesOf } from '../episodes/dated-episode.js';
import { codeIn, type CodeState } from './gates/code-lines.js';
import { languageOf } from './gates/language.js';
import { isForeignLine } from './gates/quoted.js';
import { nameOf } from './person/cast.js';
import { isAssistant, isUser } from './rules/speakable.js';
import { isQuestion, sentencesOf } from './text/sentences.js';

const SHORTEST_SENTENCE = 8;
/** A statement that is quoted because nothing was asked or decided; shorter ones are mostly small talk. */
const SHORTEST_STATEMENT = 20;
const LONGEST_SENTENCE = 240;
/** Of more requests, the first one and the newest are kept; of more decisions, the newest. */
const MOST_QUOTED = 4;

const REQUEST =
  /^(?:(?:hi|hello|hey)\b[^,.!]{0,20}[,.!] )?(?:please\b|(?:can|could|would|will) you\b|I(?:'d| would) like\b|I (?:want|need|am looking for|have to)\b|I'm looking for\b|help me\b)/i;
const DECISION =
  /\b(?:let['’]s|I(?:['’]ll| will)|we(?:['’]ll| will)|I(?:['’]m| am) going to|we(?:['’]re| are) going to|(?:I|we)(?:['’]ve| have)? (?:decided|agreed|chosen|chose)|go ahead|go with|I(?:['’]ll| will) take)\b/i;
const DONE =
  /\b(?:I|we)(?:['’]ve| have) (?:now |just |already |also )?(?:booked|cancelled|canceled|confirmed|sent|moved|refunded|changed|updated|fixed|solved|resolved|ordered|scheduled|rescheduled|reserved|transferred|opened|closed|created|added|removed|issued|replaced|escalated|reset|upgraded|placed|forwarded|filed|renewed)\b|\b(?:is|are|has been|have been) (?:now |all |already )?(?:booked|cancelled|canceled|confirmed|sent|moved|refunded|changed|updated|fixed|solved|resolved|ordered|scheduled|rescheduled|reserved|transferred|closed|created|issued|replaced|escalated|set|reset|upgraded|placed|renewed|on (?:its|the) way)\b/i;
const SOLVED =
  /\b(?:(?:that|it|this) (?:works|worked|solved it|fixed it|helped|did it)|(?:it|that)['’]s (?:working|fixed|solved)|problem solved)\b/i;
/** What was refused also ends a request. */
const REFUSED =
  /\bunfortunately\b|\b(?:I|we) (?:can(?:no|['’])t|are not able to|am not able to|am unable to|are unable to)\b/i;
const IF = /^(?:if|unless|would|should|could)\b/i;

interface Said {
  readonly message: WindowMessage;
  readonly text: string;
}

/**
 * The session as one episode, in the words of its participants: what the user asked, what either side decided, and the
 * outcome. Every sentence is quoted verbatim, so nothing is reworded. English only, except for questions.
 *
 * @returns one candidate; none if the window adds nothing but small talk
 */
export const episodeIn = (input: EpisodeInput): Candidate[] => {
  const code: CodeState = { fenced: false };
  const inWindow = new Set(input.messages.map(({ eventId }) => eventId));
  const messages = messagesOf(input);
  if (!messages.some(({ eventId }) => inWindow.has(eventId))) return [];
  const said = messages.flatMap((message) => quotable(message, code));
  const asked = said.filter(({ message, text }) => isUser(message.role) && (isQuestion(text) || REQUEST.test(text)));
  const outcome = outcomeOf(said);
  const decided = said.filter((one) => one !== outcome && !asked.includes(one) && isDecision(one.text));
  const told = asked.length + decided.length === 0 && outcome === null ? said.filter(isTold) : [];
  const open = openRequest(said, asked);
  const parts = [
    {
      title: 'Asked',
      quoted: asked.length > MOST_QUOTED ? [asked[0] as Said, ...asked.slice(1 - MOST_QUOTED)] : asked,
    },
    { title: 'Told', quoted: told.slice(0, MOST_QUOTED) },
    { title: 'Decided', quoted: decided.slice(-MOST_QUOTED) },
    { title: 'Outcome', quoted: outcome === null ? [] : [outcome] },
    { title: 'Left open', quoted: open === null ? [] : [open] },
  ].filter(({ quoted }) => quoted.length > 0);
  if (parts.length === 0) return [];
  const sentences = parts.map(({ title, quoted }) => `${title}: ${quoted.map(quotation).join(', ')}.`);
  if (outcome === null && open === null) sentences.push('No outcome was stated.');
  const sources = new Map(
    parts.flatMap(({ quoted }) =>
      quoted.map(({ message, text }) => [`${message.eventId} ${text}`, { eventId: message.eventId, quote: text }]),
    ),
  );
  return [datedEpisode(input, { text: sentences.join(' '), sources: [...sources.values()] })];
};

const quotation = ({ message, text }: Said): string => `"${text}" (${nameOf(message)})`;

/** Sentences that can be quoted: neither code nor a foreign text, not too long, and without a quotation inside. */
const quotable = (message: WindowMessage, code: CodeState): Said[] => {
  const isCodeAt = codeIn(message.content, code);
  return sentencesOf(message.content)
    .filter(
      (sentence) =>
        sentence.text.length >= SHORTEST_SENTENCE &&
        sentence.text.length <= LONGEST_SENTENCE &&
        !isCodeAt(sentence) &&
        !isForeignLine(sentence.text) &&
        !/["“”\n]/.test(sentence.text) &&
        !holdsSecret(sentence.text),
    )
    .map(({ text }) => ({ message, text }));
};

const isStatement = (text: string): boolean => !isQuestion(text) && !IF.test(text) && languageOf(text) === 'en';
const isDecision = (text: string): boolean => isStatement(text) && (DECISION.test(text) || DONE.test(text));

/** The last statement that something was done, worked or was refused. */
const outcomeOf = (said: readonly Said[]): Said | null =>
  said.findLast(
    ({ message, text }) =>
      isStatement(text) &&
      (isAssistant(message.role) ? DONE.test(text) || REFUSED.test(text) : SOLVED.test(text) && !/n['’]t\b/.test(text)),
  ) ?? null;

const isTold = ({ message, text }: Said): boolean =>
  isUser(message.role) && text.length >= SHORTEST_STATEMENT && !isQuestion(text);

/** The user's last request, if no message follows it. */
const openRequest = (said: readonly Said[], asked: readonly Said[]): Said | null => {
  const last = asked.at(-1);
  return last !== undefined && said.at(-1)?.message === last.message ? last : null;
};
