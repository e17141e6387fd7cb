import { MAX_RECORD_LENGTH, type Candidate, type WindowMessage } from './candidate.js';
import { factKey } from './fact-key.js';
import { type Said, saidIn, unprovenIn } from './proof/proof.js';
import { type RecordSource, type RefusedCandidate, statementsIn } from './record-events.js';

/** A NUL or a lone surrogate. */
const NOT_TEXT = /[\0\p{Cs}]/u;

/** Two letters, digits or symbols (such as emoji), with anything between them. */
const MORE_THAN_A_LETTER = /[\p{L}\p{N}\p{S}][^]*?[\p{L}\p{N}\p{S}]/u;

/** What a candidate is checked against. */
export interface Evidence {
  readonly messages: ReadonlyMap<string, WindowMessage>;
  readonly window: ReadonlySet<string>;
  /** Cache: words of the messages cited so far. */
  readonly said: Map<string, Said>;
  readonly speakers: readonly string[];
  /** Text of the existing record that the candidate restates; else empty. */
  readonly restated: string;
  readonly isSecret: (text: string) => boolean;
}

/** The sources of an acceptable candidate, or the reason to refuse it. */
export const judge = (
  candidate: Candidate,
  { messages, window, said, speakers, restated, isSecret }: Evidence,
): RecordSource[] | RefusedCandidate['reason'] => {
  if (factKey(candidate.text) === '' || candidate.sources.length === 0) return 'empty';
  if (candidate.text.length > MAX_RECORD_LENGTH) return 'too_long';
  if (NOT_TEXT.test(candidate.text)) return 'not_text';
  // The fact does not rest on its context.
  const told = candidate.sources.filter(({ context, quote }) => context !== true || !isSecret(quote));
  if ([candidate.text, ...told.map(({ quote }) => quote)].some(isSecret)) return 'secret';
  const sources: RecordSource[] = [];
  for (const { eventId, quote, context } of told) {
    const message = messages.get(eventId);
    if (message === undefined) return 'unknown_event';
    if (quote.trim() === '' || !message.content.includes(quote)) return 'quote_not_in_event';
    // A quote may start or end inside an emoji's surrogate pair and still be found in the message.
    if (NOT_TEXT.test(quote)) return 'not_text';
    const { sequence, role } = message;
    sources.push({ eventId, sequence, role, quote, ...(context === true ? { context } : {}) });
  }
  const statements = statementsIn(sources);
  // A single letter occurs in almost every message.
  if (!statements.some(({ quote }) => MORE_THAN_A_LETTER.test(quote))) return 'quote_does_not_carry';
  if (!sources.some(({ eventId }) => window.has(eventId))) return 'only_context';
  const cited = [...new Set(sources.map(({ eventId }) => eventId))].flatMap((eventId) => messages.get(eventId) ?? []);
  for (const { eventId, content, at } of cited) if (!said.has(eventId)) said.set(eventId, saidIn(content, at));
  const words = cited.flatMap(({ eventId }) => said.get(eventId) ?? []);
  const quotes = sources.map(({ quote }) => quote);
  return unprovenIn(candidate.text, quotes, words, speakers, restated) ?? sources;
};
