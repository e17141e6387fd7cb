import { linesOf } from '../strategy/output-schema.js';
import { isUserRole } from '../session/roles.js';
import type { Candidate, WindowMessage } from './candidate.js';
import { MAX_RECORD_LENGTH } from './clean-text.js';
import { factKey } from './fact-key.js';
import { findQuote, isMoreThanALetter } from './find-quote.js';
import type { NumberReader } from './numbers.js';
import { namesAreSaid, type SaidWords } from './proof/names.js';
import { checkNumbers } from './proof/numbers.js';
import type { Doubt } from './record-details.js';
import { type RecordSource, type RefusedCandidate, statementsIn } from './record-events.js';
import { validEventTime } from './event-time.js';

/** A NUL or a lone surrogate. */
const NOT_TEXT = /[\0\p{Cs}]/u;

/** Recognises what must never be remembered, in any language. */
export interface SecretReader {
  holds(text: string): boolean;
  /** Whether a message asks for a secret, so that its answer is one whatever it looks like. */
  isAskedFor(message: string): boolean;
}

/** What a candidate is checked against. */
export interface Evidence {
  readonly messages: ReadonlyMap<string, WindowMessage>;
  readonly window: ReadonlySet<string>;
  /** Words of everything that was read, and the speakers' names and roles ("User" for a speaker without a name). */
  readonly said: SaidWords;
  /** Texts of the existing records that the candidate is related to. */
  readonly records: readonly string[];
  /** Digits only, which is fast; each text is read once. */
  readonly readDigits: NumberReader;
  readonly readNumbers: NumberReader;
  readonly secrets: SecretReader;
}

export interface Verdict {
  readonly sources: readonly RecordSource[];
  readonly doubts: readonly Doubt[];
}

/** The sources of an acceptable candidate and what is doubtful about it, or the reason to refuse it. */
export const judge = (candidate: Candidate, evidence: Evidence): Verdict | RefusedCandidate['reason'] => {
  const { messages, window, said, secrets } = evidence;
  const isSecret = (text: string): boolean => secrets.holds(text);
  if (factKey(candidate.text) === '' || candidate.sources.length === 0) return 'empty';
  if (candidate.text.length > MAX_RECORD_LENGTH) return 'too_long';
  if (NOT_TEXT.test(candidate.text)) return 'not_text';
  // The fact does not rest on its context.
  const told = candidate.sources.filter(({ context, quote }) => context !== true || !isSecret(quote));
  if ([...textsOf(candidate), ...linesOf(candidate.data), ...told.map(({ quote }) => quote)].some(isSecret))
    return 'secret';
  const sources: RecordSource[] = [];
  for (const { eventId, quote, context } of told) {
    const message = messages.get(eventId);
    if (message === undefined) return 'unknown_event';
    const passages = quote.trim() === '' ? null : findQuote(message.content, quote);
    if (passages === null) return 'quote_not_in_event';
    // A quote may start or end inside an emoji's surrogate pair and still be found in the message.
    if (passages.some((passage) => NOT_TEXT.test(passage))) return 'not_text';
    // A passage has more than the quote where the quote differs in its signs.
    if (context !== true && passages.some(isSecret)) return 'secret';
    const { sequence, role } = message;
    for (const passage of passages)
      sources.push({ eventId, sequence, role, quote: passage, ...(context === true ? { context } : {}) });
  }
  const statements = statementsIn(sources);
  if (!statements.some((source) => carries(source, messages))) return 'quote_does_not_carry';
  if (!sources.some(({ eventId }) => window.has(eventId))) return 'only_context';
  const questions = sources.flatMap((source) => questionTo(source, evidence) ?? []);
  if (statements.some((source) => answersSecret(candidate, source, evidence))) return 'secret';
  const fact = textsOf(candidate).join('\n');
  const read = evidence.readNumbers(fact, '');
  const numbers = checkNumbers(
    read,
    {
      text: fact,
      cited: [...new Set([...questions, ...sources.flatMap(({ eventId }) => messages.get(eventId) ?? [])])],
      read: [...messages.values()],
      quotes: statements.map(({ quote }) => quote),
      records: evidence.records,
      eventTime: validEventTime(candidate.eventTime),
    },
    evidence,
  );
  if (numbers === 'contradicted') return 'number_contradicts_source';
  const named =
    (read.nounsHaveCapitals === true || namesAreSaid(candidate.text, read.dates, said)) &&
    namesAreSaid(`· ${candidate.subject ?? ''}`, [], said);
  return {
    sources,
    doubts: [
      ...(numbers === 'proven' ? [] : (['number_not_in_source'] as const)),
      ...(named ? [] : (['name_not_in_source'] as const)),
    ],
  };
};

/** What of a candidate is stored and follows from its sources. */
const textsOf = ({ text, attribute }: Candidate): string[] =>
  attribute == null ? [text] : [text, `${attribute.name.replaceAll('_', ' ')}: ${attribute.value}`];

const A_SIGN = /[\p{L}\p{N}\p{S}]/u;

/** A single letter occurs in almost every message; it states something only if the speaker said no more. */
const carries = ({ eventId, quote }: RecordSource, messages: ReadonlyMap<string, WindowMessage>): boolean =>
  isMoreThanALetter(quote) || (A_SIGN.test(quote) && factKey(messages.get(eventId)?.content ?? '') === factKey(quote));

/**
 * Only the user gives secrets away. The agent's last sentence is what the user answers, or a question before it. If the
 * agent asked for something else as well ("Your name, please? And your PIN?"), a fact without digits may be the answer to
 * that.
 */
const answersSecret = (candidate: Candidate, source: RecordSource, evidence: Evidence): boolean => {
  if (!isUserRole(source.role)) return false;
  const sentences = (questionTo(source, evidence)?.content ?? '').split(/(?<=[.!?。！？])\s*/u);
  const asked = sentences.filter((sentence, index) => /[?？]/.test(sentence) || index === sentences.length - 1);
  const secrets = asked.filter((sentence) => evidence.secrets.isAskedFor(sentence)).length;
  return (
    secrets > 0 &&
    (secrets === asked.length ||
      [...textsOf(candidate), ...linesOf(candidate.data)].some((text) => /\p{Nd}/u.test(text)))
  );
};

/** The message before a cited one, if the other side said it: usually the question that it answers. */
const questionTo = (source: RecordSource, { messages }: Evidence): WindowMessage | undefined => {
  let before: WindowMessage | undefined;
  for (const message of messages.values())
    if (message.sequence < source.sequence && message.sequence > (before?.sequence ?? -Infinity)) before = message;
  return before?.role === source.role ? undefined : before;
};
