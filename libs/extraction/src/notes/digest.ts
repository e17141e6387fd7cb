import type { Candidate } from '@turnkeeper/domain';
import { holdsSecret } from '../secrets/secrets.js';
import type { ExtractionInput } from '@turnkeeper/application';
import { datedEpisode, type EpisodeInput, messagesOf } from '../episodes/dated-episode.js';
import { type Quote, quoted } from './frame.js';
import { notesIn } from './notes.js';
import { isAssistant, isUser, nameOf } from './speakers.js';
import type { NoteOfTurn } from './turn.js';

/** Of more requests, the first one and the newest are quoted; of the others, the newest. */
const MAX_QUOTED = 4;
const LONGEST_QUOTE = 240;

interface Section {
  readonly title: string;
  readonly quotes: readonly Quote[];
}

/**
 * What was asked for, answered, promised and left open, quoted.
 *
 * @param lastReply sequence of the assistant's last message: what was asked for before it is not called open
 */
const sectionsOf = (notes: readonly NoteOfTurn[], lastReply: number): Section[] => {
  const quotesOf = (some: readonly NoteOfTurn[]): Quote[] =>
    some.flatMap(({ note: { said } }) => said).filter(({ text }) => text.length <= LONGEST_QUOTE && !holdsSecret(text));
  const by = (choose: (one: NoteOfTurn) => boolean): Quote[] => quotesOf(notes.filter(choose));
  const isUsers = ({ note: { said } }: NoteOfTurn): boolean => isUser(said[0].message.role);
  const requests = by((one) => isUsers(one) && one.category === 'request');
  const open = requests.filter(({ message }) => message.sequence > lastReply).slice(-1);
  const asked = requests.filter((quote) => !open.includes(quote));
  const sections = [
    {
      title: 'Asked for',
      quotes: asked.length > MAX_QUOTED ? [asked[0] as Quote, ...asked.slice(1 - MAX_QUOTED)] : asked,
    },
    { title: 'Told', quotes: by((one) => isUsers(one) && one.category !== 'request').slice(-MAX_QUOTED) },
    { title: 'Done or promised', quotes: by((one) => !isUsers(one)).slice(-MAX_QUOTED) },
    { title: 'Left open', quotes: open },
  ];
  return sections.filter(({ quotes }) => quotes.length > 0);
};

const textOf = ({ title, quotes }: Section): string =>
  `${title}: ${quotes.map(({ message, text }) => `${quoted(text)} (${nameOf(message)})`).join(', ')}.`;

/** The session as one record of quotes; none if nothing in it was worth a note. */
export const episodeIn = (input: EpisodeInput): Candidate[] => {
  const messages = messagesOf(input);
  const inWindow = new Set(input.messages.map(({ eventId }) => eventId));
  // What follows a question for a secret is known only with the question.
  const { notes } = notesIn(
    [...input.context, ...input.messages].toSorted((one, other) => one.sequence - other.sequence),
    [],
  );
  if (!notes.some(({ note: { said } }) => inWindow.has(said[0].message.eventId))) return [];
  const readable = new Set(messages.map(({ eventId }) => eventId));
  const sections = sectionsOf(
    notes.filter(({ note: { said } }) => said.every(({ message }) => readable.has(message.eventId))),
    lastReplyIn(input),
  );
  if (sections.length === 0) return [];
  const sources = new Map(
    sections.flatMap(({ quotes }) =>
      quotes.map(({ message, text }) => [`${message.eventId} ${text}`, { eventId: message.eventId, quote: text }]),
    ),
  );
  return [datedEpisode(input, { text: sections.map(textOf).join(' '), sources: [...sources.values()] })];
};

/** 0 if there is none. */
const lastReplyIn = ({ context, messages }: EpisodeInput): number =>
  Math.max(0, ...[...context, ...messages].filter(({ role }) => isAssistant(role)).map(({ sequence }) => sequence));

const MAX_LINES = 12;

/** The summary with the window's requests, answers and commitments; the oldest lines leave when it grows long. */
export const extendedSummary = (input: ExtractionInput): string | null => {
  const { notes } = notesIn(input.messages, input.context);
  const lines = sectionsOf(notes, lastReplyIn(input)).map(textOf);
  const earlier = (input.summary ?? '')
    .split('\n')
    .filter((line) => line !== '' && (lines.length === 0 || !line.startsWith('Left open: ')));
  const all = [...earlier, ...lines.filter((line) => !earlier.includes(line))];
  return all.length === 0 ? null : all.slice(-MAX_LINES).join('\n');
};
