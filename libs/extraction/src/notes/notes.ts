import {
  asksForSecret,
  cleanText,
  holdsSecret,
  type Candidate,
  type RecordCategory,
  type WindowMessage,
} from '@turnkeeper/domain';
import { timeIn } from './dates.js';
import { candidateOf, type Note, type Quote } from './frame.js';
import { isInjection } from './injection.js';
import { lexiconsOf } from './languages/language.js';
import type { Lexicon } from './languages/lexicon.js';
import { secretAnswersIn } from './secret-answers.js';
import { isQuestion, sentencesOf, type Span } from './sentences.js';
import { countSkipped, type Skipped, type SkipReason } from './skipped.js';
import { isAssistant, isSpoken, isUnknownRole, isUser, nameGiven } from './speakers.js';
import { type Typed, typedIn } from './typed.js';
import { asksSomething, contentOf, hasSpecifics, type Setting, worthOf } from './worth.js';

/** A message that may be quoted. */
interface Turn {
  readonly message: WindowMessage;
  readonly lexicon: Lexicon;
  readonly sentences: readonly Span[];
}

export interface Notes {
  readonly notes: readonly NoteOfTurn[];
  readonly skipped: Skipped;
}
/** A note as a candidate, and what the digest of a session needs to know of it. */
export interface NoteOfTurn {
  readonly candidate: Candidate;
  readonly category: RecordCategory;
  readonly note: Note;
}

const LONGEST_QUESTION = 300;
/** Of an open question, a bare yes or no is worth a note only if the question has this much content. */
const CONTENT_OF_CLOSED_QUESTION = 2;
const LONGEST_TEXT = 2_000;

/** What is worth noting in a window, in the words of its speakers. @param context messages before the window */
export const notesIn = (messages: readonly WindowMessage[], context: readonly WindowMessage[]): Notes => {
  const skipped: SkipReason[] = [];
  const all = [...context, ...messages].filter((message) => {
    const isRead = isSpoken(message);
    const isInstruction = isRead && isInjection(message.content);
    if (isUnknownRole(message.role)) skipped.push('role');
    if (isInstruction) skipped.push('instructions');
    return isRead && !isInstruction;
  });
  const lexicons = lexiconsOf(all.map(({ content }) => content));
  const secrets = secretAnswersIn(all, lexicons);
  const turns = all.map((message, index): Turn => ({
    message,
    lexicon: lexicons[index] as Lexicon,
    sentences: sentencesOf(message.content).filter(
      ({ text }) => cleanText(text) === text && !/["“”]/.test(text.slice(1, -1)) && !secrets.isIn(message, text),
    ),
  }));
  const inWindow = new Set(messages.map(({ eventId }) => eventId));
  const isChat =
    turns.some(({ message }) => isAssistant(message.role) && nameGiven(message) !== null) &&
    turns.some(({ message }) => isUser(message.role) && nameGiven(message) !== null);
  const notes = turns.flatMap((turn, index) =>
    inWindow.has(turn.message.eventId) ? notesOf(turn, before(turns, index), isChat) : [],
  );
  return { notes, skipped: countSkipped(skipped) };
};

/** What the other side said last, and whether this side has already answered it. */
interface Before {
  readonly turn: Turn;
  readonly isAnswered: boolean;
}

const before = (turns: readonly Turn[], index: number): Before | null => {
  const own = isUser(turns[index]?.message.role ?? '');
  let isAnswered = false;
  for (let at = index - 1; at >= 0; at -= 1) {
    const turn = turns[at] as Turn;
    if (isUser(turn.message.role) === own) {
      isAnswered ||= turn.sentences.some(({ text }) => contentOf(text, turn.lexicon) > 0);
      continue;
    }
    return { turn, isAnswered };
  }
  return null;
};

const notesOf = (turn: Turn, before: Before | null, isChat: boolean): NoteOfTurn[] => {
  const { message, lexicon, sentences } = turn;
  const isAgent = isAssistant(message.role) && nameGiven(message) === null;
  const setting: Setting = { lexicon, isAgent, isChat };
  const judged = sentences.map((span) => ({ span, category: worthOf(span.text, setting) }));
  if (isAgent) return agentsNotes(turn, judged);
  const question = before === null ? null : questionIn(before.turn);
  const isAnswer =
    question !== null && !(before?.isAnswered === true && sentences.some(({ text }) => lexicon.self.test(text)));
  const answered = isAnswer ? question : null;
  const consent = answered === null || before?.isAnswered === true ? null : consentTo(turn, answered, isChat);
  if (
    consent !== null &&
    judged.every(({ category }) => category === null || contentOf(message.content, lexicon) === 0)
  )
    return consent;
  if (answered?.asks === true) {
    const first = judged.find(
      ({ span }) =>
        !isQuestion(span.text) &&
        (contentOf(span.text, lexicon) > 0 || /\p{N}/u.test(span.text)) &&
        !lexicon.passing.test(span.text) &&
        !lexicon.offersHelp.test(span.text),
    );
    if (first !== undefined && first.category === null && (!isChat || contentOf(first.span.text, lexicon) > 1))
      first.category = 'fact';
  }
  const kept = judged.filter((one): one is { span: Span; category: RecordCategory } => one.category !== null);
  if (kept.length === 0) return [];
  const isAsked =
    answered?.asks === true &&
    kept[0] === judged.find(({ span }) => contentOf(span.text, lexicon) > 0 || /\p{N}/u.test(span.text));
  const frame = isAsked && !isOffer(answered, before?.turn.lexicon ?? lexicon) ? answered : null;
  return typedNotes(turn, kept, frame);
};

const isOffer = (question: Question, lexicon: Lexicon): boolean => lexicon.offersHelp.test(question.text);

interface Question extends Quote {
  readonly asks: boolean;
  readonly sentences: readonly string[];
}

/** What a turn asks, or proposes: from its first sentence that does to its last. */
const questionIn = ({ message, lexicon, sentences }: Turn): Question | null => {
  const asking = sentences.filter(({ text }) => asksSomething(text, lexicon) && !asksForSecret(text));
  const asks = asking.length > 0;
  const telling = asks ? asking : sentences.filter(({ text }) => hasSpecifics(text, lexicon));
  const last = telling.at(-1);
  if (last === undefined) return null;
  const from = telling.find(({ start }) => last.end - start <= LONGEST_QUESTION) ?? last;
  const text = message.content.slice(from.start, last.end);
  if (asksForSecret(text) || cleanText(text) !== text) return quoteOf(message, last, asks, telling);
  return quoteOf(message, { ...last, text }, asks, telling);
};
const quoteOf = (message: WindowMessage, { text }: Span, asks: boolean, telling: readonly Span[]): Question | null =>
  asksForSecret(text) ? null : { message, text, asks, sentences: telling.map((sentence) => sentence.text) };

/** A yes or no to what has content: the question tells what it means. */
const consentTo = (turn: Turn, question: Question, isChat: boolean): NoteOfTurn[] | null => {
  const { message, lexicon, sentences } = turn;
  const first = sentences[0];
  if (first === undefined || lexicon.offersHelp.test(question.text)) return null;
  const agrees = lexicon.agrees.test(first.text);
  const denies = lexicon.denies.test(first.text);
  if (!agrees && !denies) return null;
  const content = contentOf(question.text, lexicon);
  if (content < CONTENT_OF_CLOSED_QUESTION + (isChat ? 1 : 0)) return null;
  if (!question.asks && (!agrees || isChat || /thank|gracias|danke|merci|obrigad|cảm ơn|谢/iu.test(message.content)))
    return null;
  const note: Note = {
    question: proposal(question),
    said: [{ message, text: first.text }],
    isRelative: lexicon.relativeDay.test(question.text),
  };
  return [{ note, category: 'fact', candidate: candidateOf(note, detailsOf(note, 'fact', null, lexicon)) }];
};

/** A confirmation is quoted with the details before its question. */
const proposal = (question: Question): Question => question;

const agentsNotes = (
  turn: Turn,
  judged: readonly { readonly span: Span; readonly category: RecordCategory | null }[],
): NoteOfTurn[] => {
  const kept = judged.filter((one): one is { span: Span; category: RecordCategory } => one.category !== null);
  return kept.length === 0 ? [] : typedNotes(turn, kept, null);
};

interface Kept {
  readonly span: Span;
  readonly category: RecordCategory;
}

/** One note for the message; with several typed values, one for each and one for the rest. */
const typedNotes = (turn: Turn, kept: readonly Kept[], question: Question | null): NoteOfTurn[] => {
  const { message, lexicon } = turn;
  const spans = kept.map(({ span }) => span);
  const typed = typedIn(spans, question?.sentences ?? [], message.at, lexicon).filter(
    ({ attribute }) => isUser(message.role) || attribute.name !== 'name',
  );
  const category = mainCategory(kept);
  if (typed.length <= 1) return note(turn, spans, question, category, typed[0] ?? null);
  const own = new Set(typed.map(({ sentence }) => sentence));
  const rest = spans.filter((_, index) => !own.has(index));
  const parts = typed.map((value, index) => ({ value, span: clauseOf(spans, typed, index) }));
  return [
    ...parts.flatMap(({ value, span }) => note(turn, [span], question, category, value)),
    ...(rest.length === 0
      ? []
      : note(turn, rest, null, mainCategory(kept.filter((_, index) => !own.has(index))), null)),
  ];
};

const RANK: readonly RecordCategory[] = ['request', 'commitment', 'preference', 'plan', 'event', 'fact'];
const mainCategory = (kept: readonly Kept[]): RecordCategory =>
  RANK.find((category) => kept.some((one) => one.category === category)) ?? 'fact';

/** The part of a sentence that tells one of its values: up to the next one. */
const clauseOf = (spans: readonly Span[], typed: readonly Typed[], index: number): Span => {
  const { sentence, end } = typed[index] as Typed;
  const span = spans[sentence] as Span;
  const previous = typed[index - 1];
  const next = typed[index + 1];
  const from = previous?.sentence === sentence ? previous.end : 0;
  const to = next?.sentence === sentence ? end : span.text.length;
  const raw = span.text.slice(from, to);
  const text = raw.replace(/^[\s,;.:]+/u, '').trimEnd();
  const start = span.start + from + raw.indexOf(text);
  return { text, start, end: start + text.length };
};

const note = (
  turn: Turn,
  spans: readonly Span[],
  question: Question | null,
  category: RecordCategory,
  typed: Typed | null,
): NoteOfTurn[] => {
  const { message, lexicon } = turn;
  const quotes = joined(message, spans);
  const [first, ...more] = quotes;
  if (first === undefined) return [];
  const of: Note = {
    question,
    said: [first, ...more],
    isRelative: quotes.some(({ text }) => lexicon.relativeDay.test(text)),
  };
  const candidate = candidateOf(of, detailsOf(of, category, typed, lexicon));
  if (candidate.text.length > LONGEST_TEXT || holdsSecret(candidate.text)) return [];
  return [{ note: of, category, candidate }];
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

const detailsOf = (
  { said, question }: Note,
  category: RecordCategory,
  typed: Typed | null,
  lexicon: Lexicon,
): Omit<Candidate, 'text' | 'sources'> => {
  const [{ message }] = said;
  const own = said.map(({ text }) => text).join(' ');
  const named =
    timeIn(own, message.at, lexicon) ?? (question === null ? null : timeIn(question.text, message.at, lexicon));
  const subject = typed?.subject ?? (isUser(message.role) ? null : nameGiven(message));
  return {
    category,
    ...(subject === null ? {} : { subject }),
    ...(typed === null ? {} : { attribute: typed.attribute }),
    ...(named?.range == null ? {} : { eventTime: named.range }),
  };
};
