import { cleanText, type Candidate, type RecordCategory, type WindowMessage } from '@turnkeeper/domain';
import { asksForSecret } from '../secrets/secrets.js';
import type { Note, Quote } from './frame.js';
import type { Lexicon } from './languages/lexicon.js';
import { isQuestion, type Span } from './sentences.js';
import type { Typed } from './typed.js';
import { asksSomething, contentOf, hasSpecifics, OFFER } from './worth.js';

const LONGEST_QUESTION = 300;
const LONGEST_PROPOSAL = 500;
/** Of an open question, a bare yes or no is worth a note only if the question has this much content. */
export const CONTENT_OF_CLOSED_QUESTION = 2;

/** A message that may be quoted. */
export interface Turn {
  readonly message: WindowMessage;
  readonly lexicon: Lexicon;
  readonly sentences: readonly Span[];
}

/** A note as a candidate, and what the digest of a session needs to know of it. */
export interface NoteOfTurn {
  readonly candidate: Candidate;
  readonly category: RecordCategory;
  readonly note: Note;
  readonly typed: Typed | null;
}

/** Who talks with whom. */
export interface Chat {
  /** Both sides are people with names. */
  readonly isChat: boolean;
  /** Lower-case words without content here: the speakers' names ("Hey Ana"), and feelings between friends. */
  readonly empty: ReadonlySet<string>;
}

/** A turn between what it answers and what follows. */
export interface Place {
  readonly turns: readonly Turn[];
  readonly index: number;
  readonly turn: Turn;
  /** What the other side said last, and whether this side has already answered it. */
  readonly before: { readonly turn: Turn; readonly isAnswered: boolean } | null;
  readonly next: Turn | null;
  readonly chat: Chat;
  /** The value that the same side gave last. */
  readonly earlier: () => Typed | null;
}

export interface Question extends Quote {
  /** The sentences that ask, or offer something. */
  readonly sentences: readonly string[];
  /** The question with the details around it: "Your table is for four at seven. Is that right?" */
  readonly proposal: string;
}

/** What a turn asks: from its first sentence that does to its last. */
export const questionIn = ({ message, lexicon, sentences }: Turn, isChat: boolean): Question | null => {
  const open = sentences.filter(({ text }) => !asksForSecret(text));
  // "I love how you tell your story" asks for nothing.
  // An offer asks for consent.
  const asking = open.filter(({ text }) =>
    isChat ? isQuestion(text) : asksSomething(text, lexicon) || (OFFER.test(text) && hasSpecifics(text, lexicon)),
  );
  const [first, last] = [asking[0], asking.at(-1)];
  if (first === undefined || last === undefined) return null;
  const isHeard = message.isCut !== true;
  // "Is that right?" means the sentence before it, "Please confirm." what follows.
  const content = asking.length === 1 ? contentOf(last.text, lexicon) : Number.POSITIVE_INFINITY;
  const isShort = content < CONTENT_OF_CLOSED_QUESTION;
  const isSpecific = (span: Span): boolean => isHeard && hasSpecifics(span.text, lexicon);
  const details = open.filter((span) => isHeard && span.end <= last.end && (isShort || isSpecific(span)));
  const isBare = content <= CONTENT_OF_CLOSED_QUESTION;
  // "I found two hotels. One is the Grand." offers the second one.
  const isOffer = !isChat && !asksSomething(last.text, lexicon);
  const goesOn = isOffer || (isBare && !details.some(isSpecific));
  const end = (goesOn ? open.findLast((span) => span.end > last.end && isSpecific(span)) : undefined) ?? last;
  return {
    message,
    text: runOf(message, open, { from: first, to: end, most: LONGEST_QUESTION }),
    sentences: asking.map(({ text }) => text),
    proposal: runOf(message, open, { from: details[0] ?? last, to: end, most: LONGEST_PROPOSAL }),
  };
};

/**
 * The words from one sentence to another, at most so many characters: neighbouring sentences only, so that what was left
 * out between them is not quoted.
 */
export const runOf = (
  { content }: WindowMessage,
  sentences: readonly Span[],
  { from, to, most }: { readonly from: Span | null; readonly to: Span; readonly most: number },
): string => {
  let { start } = to;
  for (const span of sentences.filter(({ end }) => end <= to.start).toReversed()) {
    const isNeighbour = content.slice(span.end, start).trim() === '' && span.start >= (from?.start ?? 0);
    if (!isNeighbour || to.end - span.start > most) break;
    ({ start } = span);
  }
  const text = content.slice(start, to.end);
  return isQuotable({ text }) ? text : to.text;
};

/** Without what a record's text may not hold. A quote is enclosed in the quotation marks that are not in it. */
export const isQuotable = ({ text }: { readonly text: string }): boolean =>
  cleanText(text) === text && !(text.includes('"') && /[“”]/.test(text));

export interface Kept {
  readonly span: Span;
  readonly category: RecordCategory;
}
