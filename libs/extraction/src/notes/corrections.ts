import type { ExistingRecord } from '@turnkeeper/application';
import type { Candidate, WindowMessage } from '@turnkeeper/domain';
import { candidateOf, type Quote } from './frame.js';
import type { Lexicon } from './languages/lexicon.js';
import { isUser } from './speakers.js';
import { type NoteOfTurn, questionIn, runOf, type Turn } from './turn.js';
import { contentOf, FAILS, tokensOf } from './worth.js';

/** Notes of which a correction ends the one before it: in the window, or else the newest existing record. */
export const corrected = (notes: readonly NoteOfTurn[], existing: readonly ExistingRecord[]): NoteOfTurn[] => {
  const all = [...notes];
  for (const [index, { typed, candidate, note }] of notes.entries()) {
    if (typed === null) continue;
    const isSame = ({ attribute, subject }: Pick<Candidate, 'attribute' | 'subject'>): boolean =>
      attribute?.name === typed.attribute.name && (subject ?? null) === (candidate.subject ?? null);
    const earlier = all.slice(0, index).findLastIndex((one) => isSame(one.candidate));
    // The same question is asked again: the answer before it was of no use.
    const isAskedAgain = note.question !== null && all[earlier]?.note.question?.text === note.question.text;
    if (!typed.corrects && !isAskedAgain) continue;
    const known = existing
      .filter(isSame)
      .toSorted((one, other) => one.statedAt.localeCompare(other.statedAt))
      .at(-1);
    if (earlier >= 0) {
      for (const at of [earlier, index]) all[at] = asSingle(all[at] as NoteOfTurn);
    } else if (known !== undefined) {
      const relations = [{ kind: 'replaces' as const, recordId: known.recordId }];
      all[index] = { ...(all[index] as NoteOfTurn), candidate: { ...candidate, relations } };
    }
  }
  return all;
};
const asSingle = (one: NoteOfTurn): NoteOfTurn => {
  const { attribute } = one.candidate;
  return attribute == null
    ? one
    : { ...one, candidate: { ...one.candidate, attribute: { ...attribute, single: true } } };
};

/** Messages in which something may be taken back. */
const MAX_LATER = 6;
const LONGEST_QUOTE = 240;
const CONTENT_BESIDE_LEAVE = 4;
/** An agent that corrects itself repeats what it is about. */
const CONTENT_THAT_AN_AGENT_REPEATS = 2;
/** Part of an agent's words that another statement has. */
const SHARED_BY_A_REPETITION = 0.4;

/** The words that take back what was said: "No, I meant the 14th" after the agent repeated it, "forget the gift wrap". */
export const takenBackBy = (turns: readonly Turn[], from: number, said: string): Quote | null => {
  const own = turns[from] as Turn;
  for (let at = from + 1; at <= Math.min(from + MAX_LATER, turns.length - 1); at += 1) {
    const turn = turns[at] as Turn;
    const { message, sentences, lexicon } = turn;
    const isUsers = isUser(message.role);
    const isBack = (text: string): boolean =>
      lexicon.corrects.test(text) || (isUsers && lexicon.denies.test(text) && tells(text, lexicon));
    // "I don't need anything else" takes leave, "no 45 Mill Lane" is an address.
    const isOther = (text: string): boolean =>
      /^no\.? \d/i.test(text) || (lexicon.smallTalk.test(text) && contentOf(text, lexicon) < CONTENT_BESIDE_LEAVE);
    const back = sentences.find(({ text }) => isBack(text) && tells(text, lexicon) && !isOther(text));
    if (back === undefined || (!isUsers && own.message.role !== message.role)) continue;
    const before = turns[at - 1] as Turn;
    const isRepeated = isUsers && at > from + 1 && !isUser(before.message.role) && repeats(before, said);
    const text = runOf(message, sentences, { from: back, to: sentences.at(-1) ?? back, most: LONGEST_QUOTE });
    if (isRepeated || shared(said, text, lexicon) >= (isUsers ? 1 : CONTENT_THAT_AN_AGENT_REPEATS))
      // That may be taken back as well.
      return takenBackBy(turns, at, text) ?? { message, text };
  }
  return null;
};

/** Whether an agent repeats what was said: a no to "Anything else for your order?" takes no order back. */
const repeats = (turn: Turn, said: string): boolean => {
  const text = questionIn(turn, false)?.proposal ?? turn.sentences.map((span) => span.text).join(' ');
  const most = Math.min(...[said, text].map((one) => contentOf(one, turn.lexicon)));
  return most > 0 && shared(said, text, turn.lexicon) >= Math.min(REPEATED, most);
};
const REPEATED = 1.5;

const tells = (text: string, lexicon: Lexicon): boolean => contentOf(text, lexicon) > 0 || /\p{N}/u.test(text);

const shared = (one: string, other: string, lexicon: Lexicon): number => {
  const words = new Set(tokensOf(one, lexicon));
  const common = tokensOf(other, lexicon).filter((word) => words.has(word) && !OF_ANY_VALUE.test(word));
  return contentOf(common.join(' '), lexicon);
};
/** Two sentences with these words may be about different things. */
const OF_ANY_VALUE = /^(?:numbers?|codes?|números?|códigos?|nummern?|numéros?|số|mã|号|码)$/i;

interface End {
  /** A corrected value takes its place. */
  readonly isReplaced: boolean;
  /** The words that take it back. */
  readonly back: Quote | null;
  /** Index of the turn that does either. */
  readonly until: number;
}

/**
 * The notes of a call with how things went on. What is taken back is noted with the words that do, and without a value or
 * day of its own; what an agent said of it in between is left out, and so is a failure that was overcome.
 */
export const withOutcomes = (notes: readonly NoteOfTurn[], turns: readonly Turn[]): NoteOfTurn[] => {
  const places = new Map(turns.map(({ message }, index) => [message, index]));
  const placeOf = ({ note: { said } }: Pick<NoteOfTurn, 'note'>): number => places.get(said[0].message) ?? 0;
  const backs = notes.map((one) => {
    const { said, question, after = null } = one.note;
    // An answer may be about what the caller takes back.
    const before = [question, after].filter((quote) => quote !== null);
    const [back = null] = [{ message: said[0].message, text: textOf(said) }, ...before]
      .flatMap(({ message, text }) => takenBackBy(turns, places.get(message) ?? 0, text) ?? [])
      .filter((quote) => (places.get(quote.message) ?? 0) > placeOf(one));
    return back;
  });
  const ends = notes.map((one, index): End => {
    const back = backs[index] ?? null;
    const replacing = notes.find(
      ({ typed }, at) =>
        at > index &&
        backs[at] === null &&
        typed?.corrects === true &&
        typed.attribute.name === one.candidate.attribute?.name,
    );
    const by = replacing === undefined ? places.get(back?.message as WindowMessage) : placeOf(replacing);
    return { isReplaced: replacing !== undefined, back, until: by ?? -1 };
  });
  const lastDone = notes.findLastIndex((one) => isDone(one, turns[placeOf(one)] as Turn));
  return notes.flatMap((one, index): NoteOfTurn[] => {
    const { note, category, candidate, typed } = one;
    const at = placeOf(one);
    const { lexicon } = turns[at] as Turn;
    const { isReplaced, back } = ends[index] as End;
    const isUsers = isUser(note.said[0].message.role);
    const isDoneLater = index < lastDone;
    // "Confirming Friday at ten." – "Yes." – "I could not book it."
    const reply = turns[at + 1];
    const isAgreed = !isUsers && reply?.lexicon.agrees.test(reply.message.content) === true;
    const failed = isAgreed ? failureIn(turns[at + 2]) : null;
    if (isUsers) {
      const isQuoted = ends.some((end) => !end.isReplaced && end.back !== null && holds(end.back, note.said));
      if (isQuoted && typed === null && back === null) return [];
      if (isDoneLater && FAILS.test((note.outcome ?? back)?.text ?? '')) return [];
    } else {
      const isOfEnded = notes.some(
        (other, place) =>
          placeOf(other) < at &&
          at < (ends[place] as End).until &&
          shared(wordsOf(other), wordsOf(one), lexicon) >= SHARED_BY_A_REPETITION * contentOf(wordsOf(one), lexicon),
      );
      if (isOfEnded || (isDoneLater && (failed !== null || FAILS.test(wordsOf(one))))) return [];
    }
    const failure = category === 'request' && !isDoneLater ? failureIn(turns[at + 1]) : failed;
    const outcome = isReplaced ? null : (back ?? failure);
    if (outcome === null || note.outcome != null) return [one];
    const { text: _, sources: __, attribute, eventTime, ...details } = candidate;
    const valid = back === null ? { attribute: attribute ?? null, eventTime: eventTime ?? null } : {};
    const ended = { ...note, outcome };
    const of = candidateOf(ended, { ...details, ...valid });
    return [{ note: ended, category, typed: back === null ? typed : null, candidate: of }];
  });
};

const textOf = (said: readonly Quote[]): string => said.map(({ text }) => text).join(' ');
const wordsOf = ({ note: { said } }: NoteOfTurn): string => textOf(said);

const holds = (quote: Quote, said: readonly Quote[]): boolean =>
  said.every(({ message, text }) => message === quote.message && quote.text.includes(text));

/** An agent did something, or told what came of a consent. */
const isDone = (one: NoteOfTurn, { lexicon: { commits } }: Turn): boolean =>
  (one.note.outcome != null || (!isUser(one.note.said[0].message.role) && commits.test(wordsOf(one)))) &&
  !FAILS.test(`${wordsOf(one)} ${one.note.outcome?.text ?? ''}`);

const failureIn = (next: Turn | undefined): Quote | null => {
  if (next === undefined || isUser(next.message.role)) return null;
  const failed = next.sentences.find(({ text }) => FAILS.test(text));
  return failed === undefined ? null : { message: next.message, text: failed.text };
};
