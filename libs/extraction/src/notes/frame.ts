import { dayInWords, type Candidate, type CitedSource, type WindowMessage } from '@turnkeeper/domain';
import { nameOf } from './speakers.js';

/** A contiguous part of a message. */
export interface Quote {
  readonly message: WindowMessage;
  readonly text: string;
}

/** What a note is made of. Everything that is not quoted is one of the few words of its frame. */
export interface Note {
  /** What was said before, if the statement and its question name nothing that they are about. */
  readonly after?: Quote | null;
  /** What the statement answers; null if it needs no question. */
  readonly question: Quote | null;
  /** Parts of one message, in order. */
  readonly said: readonly [Quote, ...Quote[]];
  /** What was said then: what the other side reported as done, or the speaker's correction. */
  readonly outcome?: Quote | null;
  /** Its days depend on when it was said. */
  readonly isRelative: boolean;
}

/**
 * The text of a note:
 *
 * ```
 * User said: "…" "…"
 * Asked "…", User said: "…" (said on 10 May 2023)
 * Asked "…", User said: "Yes please." Agent said: "…"
 * After User said "…", asked "…", Agent said: "…"
 * User said: "…" Later User said: "…"
 * ```
 *
 * The quotes are never altered.
 */
const textOf = ({ after = null, question, said, outcome = null, isRelative }: Note): string => {
  const [first] = said;
  const before = after === null ? '' : `After ${nameOf(after.message)} said ${quoted(after.text)}, `;
  const lead = question === null ? '' : `${before === '' ? 'Asked' : 'asked'} ${quoted(question.text)}, `;
  const day = isRelative ? dayInWords(first.message.at) : null;
  const quotes = said.map(({ text }) => quoted(text)).join(' ');
  const later = outcome?.message.role === first.message.role ? ' Later' : '';
  const then = outcome === null ? '' : `${later} ${nameOf(outcome.message)} said: ${quoted(outcome.text)}`;
  return `${before}${lead}${nameOf(first.message)} said: ${quotes}${then}${day === null ? '' : ` (said on ${day})`}`;
};

/** In quotation marks that the text itself does not hold. */
export const quoted = (text: string): string => (text.includes('"') ? `“${text}”` : `"${text}"`);

/** What a note cites. What stands before the statement is context: the answer makes the fact. */
const sourcesOf = ({ after = null, question, said, outcome = null }: Note): CitedSource[] => [
  ...[...said, ...(outcome === null ? [] : [outcome])].map(({ message, text }) => ({
    eventId: message.eventId,
    quote: text,
  })),
  ...[question, after].flatMap((quote) =>
    quote === null ? [] : [{ eventId: quote.message.eventId, quote: quote.text, context: true }],
  ),
];

export const candidateOf = (note: Note, details: Omit<Candidate, 'text' | 'sources'>): Candidate => ({
  text: textOf(note),
  sources: sourcesOf(note),
  ...details,
});
