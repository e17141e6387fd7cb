import type { Candidate, RecordCategory, WindowMessage } from '@turnkeeper/domain';
import { holdsSecret } from '../secrets/secrets.js';
import { contextOf } from './context.js';
import { timeIn } from './dates.js';
import { candidateOf, type Note, type Quote } from './frame.js';
import type { Lexicon } from './languages/lexicon.js';
import type { Span } from './sentences.js';
import { isUser, nameGiven } from './speakers.js';
import { strengthOf } from './strength.js';
import type { Kept, NoteOfTurn, Place, Question, Turn } from './turn.js';
import { bookedBy, correctedIn, type Typed, typedIn } from './typed.js';
import { contentOf } from './worth.js';

/** Characters of a message that one note quotes. */
const LONGEST_PART = 1_000;
/** A safeguard: a part and its question are shorter. */
const LONGEST_TEXT = 2_500;

/** One note for a message, or for each part of a long one. */
export const typedNotes = (place: Place, kept: readonly Kept[], question: Question | null): NoteOfTurn[] => {
  const parts: Kept[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const one of kept) {
    length += one.span.text.length;
    if (length > LONGEST_PART) {
      parts.push([]);
      length = one.span.text.length;
    }
    parts.at(-1)?.push(one);
  }
  return parts.flatMap((part, index) => partsNotes(place, part, index === 0 ? question : null));
};

/** One note; with several typed values, one for each and one for the rest. */
const partsNotes = (place: Place, kept: readonly Kept[], question: Question | null): NoteOfTurn[] => {
  const { turn, earlier } = place;
  const { isChat } = place.chat;
  const { message, lexicon } = turn;
  const spans = kept.map(({ span }) => span);
  const isOwn = isUser(message.role) || isChat;
  const told = typedIn(spans, isOwn ? (question?.sentences ?? []) : [], message.at, lexicon, isChat)
    // An agent's own address or number is not the caller's.
    .filter(({ kind }) => isOwn || !/^(?:name|phone|email|text)$/.test(kind))
    // Between friends, both give values of their own.
    .map((one) => (isChat && !isUser(message.role) ? { ...one, subject: one.subject ?? nameGiven(message) } : one));
  const category = mainCategory(kept);
  const changed = told.length > 0 || isChat ? null : valueWithoutName(turn, spans, question?.sentences ?? [], earlier);
  const typed = changed === null ? told : [changed];
  const own = new Set(typed.map(({ sentence }) => sentence));
  const rest = kept.filter((_, index) => !own.has(index));
  const clauses = typed.map((_, index) => clauseOf(spans, typed, index, lexicon));
  const others = [...rest.map(({ span }) => span), ...clauses.flatMap((clause) => clause.others)];
  // What a newer value ends must hold nothing else.
  const isAlone = others.every(
    ({ text }) => contentOf(text.replace(SPELLED, ' '), lexicon) < CONTENT_OF_ANOTHER_MATTER,
  );
  const isCut = clauses.some((clause) => clause.others.length > 0);
  if (typed.length === 0 || (typed.length === 1 && isAlone && !isCut))
    return note(place, spans, question, category, typed[0] ?? null);
  const [inOrder, restCategory] = [
    others.toSorted((one, other) => one.start - other.start),
    rest.length === 0 ? category : mainCategory(rest),
  ];
  return [
    ...clauses.flatMap(({ span }, index) => note(place, [span], question, category, typed[index] ?? null)),
    ...note(place, inOrder, own.has(0) ? null : question, restCategory, null),
  ];
};

/** What an agent booked; or a user's value in the place of an earlier one. */
const valueWithoutName = (
  { message, lexicon }: Turn,
  spans: readonly Span[],
  questions: readonly string[],
  earlier: () => Typed | null,
): Typed | null => {
  if (!isUser(message.role)) return bookedBy(spans, message.at, lexicon);
  if (!spans.some(({ text }) => lexicon.corrects.test(text))) return null;
  const before = earlier();
  return before === null ? null : correctedIn(spans, questions, before, message.at, lexicon);
};

const CONTENT_OF_ANOTHER_MATTER = 3;
const SPELLED = /(?<!\p{L})[A-Za-z](?!\p{L})/gu;

const RANK: readonly RecordCategory[] = ['request', 'commitment', 'preference', 'plan', 'event', 'fact'];
const mainCategory = (kept: readonly Kept[]): RecordCategory =>
  RANK.find((category) => kept.some((one) => one.category === category)) ?? 'fact';

/**
 * The part of a sentence that tells one of its values: between the values beside it, and without clauses that tell
 * something else of the speaker. "I live in Hue" ends when she moves, "my patient number is 4471" beside it does not.
 */
const clauseOf = (
  spans: readonly Span[],
  typed: readonly Typed[],
  index: number,
  lexicon: Lexicon,
): { readonly span: Span; readonly others: readonly Span[] } => {
  const { sentence, start, end, attribute } = typed[index] as Typed;
  const { text, start: offset } = spans[sentence] as Span;
  const [previous, next] = [typed[index - 1], typed[index + 1]].map((one) =>
    one?.sentence === sentence ? one : undefined,
  );
  const breaks = (typed.length === 1 && attribute.single ? [...text.matchAll(BETWEEN_CLAUSES)] : []).map((words) => ({
    from: words.index,
    to: words.index + words[0].length,
  }));
  const tellsMore = (part: string): boolean => lexicon.self.test(part) && contentOf(part, lexicon) > 0;
  const before = breaks.findLast(({ to, from }) => to <= start && tellsMore(text.slice(0, from)));
  const after = breaks.find(({ from, to }) => from >= end && tellsMore(text.slice(to)));
  const part = (from: number, to: number): Span => {
    const lead = from === 0 ? 0 : (JOINS.exec(text.slice(from, to))?.[0].length ?? 0);
    const words = text.slice(from + lead, to).trimEnd();
    return { text: words, start: offset + from + lead, end: offset + from + lead + words.length };
  };
  return {
    span: part(before?.to ?? previous?.end ?? 0, after?.from ?? (next === undefined ? text.length : end)),
    others: [
      ...(before === undefined ? [] : [part(0, before.from)]),
      ...(after === undefined ? [] : [part(after.to, text.length)]),
    ],
  };
};

/** What joins a part to the one before it. */
const JOINS = /^[\s,;.:]*(?:(?:and|y|und|et|e|và)\s+)?/iu;
/** "and", where a clause may begin. */
const BETWEEN_CLAUSES = /[,;]?\s(?:and|but|y|pero|und|aber|et|mais|e|mas|và|nhưng)\s|[，；](?:而且|但是?|还有|也)?/giu;

const note = (
  place: Place,
  spans: readonly Span[],
  question: Question | null,
  category: RecordCategory,
  typed: Typed | null,
): NoteOfTurn[] => {
  const { message, lexicon } = place.turn;
  const quotes = joined(message, spans);
  const [first, ...more] = quotes;
  if (first === undefined) return [];
  // "My phone number is …" needs nothing before it.
  const isTold = typed !== null && (typed.attribute.single || /^(?:code|phone|email)$/.test(typed.kind));
  const after = isTold ? null : contextOf(place, spans, question);
  // What it is about would remain unclear.
  if (after === undefined && category !== 'commitment') return [];
  const of: Note = {
    after: after ?? null,
    question,
    said: [first, ...more],
    isRelative: [...quotes, ...(after == null ? [] : [after])].some(({ text }) => lexicon.relativeDay.test(text)),
  };
  const candidate = candidateOf(of, detailsOf(of, category, typed, lexicon));
  if (candidate.text.length > LONGEST_TEXT || holdsSecret(candidate.text)) return [];
  return [{ note: of, category, candidate, typed }];
};

/** Neighbouring sentences are one quote. */
const joined = (message: WindowMessage, spans: readonly Span[]): Quote[] => {
  const runs: { start: number; end: number }[] = [];
  for (const { start, end } of spans) {
    const last = runs.at(-1);
    if (last !== undefined && message.content.slice(last.end, start).trim() === '') last.end = end;
    else runs.push({ start, end });
  }
  return runs.map(({ start, end }) => ({ message, text: message.content.slice(start, end) }));
};

export const detailsOf = (
  { said, question }: Note,
  category: RecordCategory,
  typed: Typed | null,
  lexicon: Lexicon,
): Omit<Candidate, 'text' | 'sources'> => {
  const [{ message }] = said;
  const own = said.map(({ text }) => text).join(' ');
  const named =
    timeIn(own, message.at, lexicon, category === 'commitment') ??
    (question === null ? null : timeIn(question.text, message.at, lexicon, true));
  const isPast = named?.range?.to != null && named.range.to < message.at.slice(0, 10);
  // A value that an agent gives is the caller's.
  const subject = isUser(message.role) || typed !== null ? (typed?.subject ?? null) : nameGiven(message);
  return {
    category: category === 'fact' && isPast ? 'event' : category,
    ...(category === 'preference' ? { strength: strengthOf(own) } : {}),
    ...(subject === null ? {} : { subject }),
    ...(typed === null ? {} : { attribute: typed.attribute }),
    ...(named?.range == null ? {} : { eventTime: named.range }),
  };
};
