import type { ExistingRecord } from '@turnkeeper/application';
import type { Candidate } from '@turnkeeper/domain';
import { candidateOf, type Note, type Quote } from './frame.js';
import { wordsIn } from './languages/language.js';
import { isQuestion } from './sentences.js';
import { isUser } from './speakers.js';
import type { NoteOfTurn, Turn } from './turn.js';
import { contentOf } from './worth.js';

/** Notes of which a correction ends the one before it: in the window, or else the newest existing record. */
export const corrected = (notes: readonly NoteOfTurn[], existing: readonly ExistingRecord[]): NoteOfTurn[] => {
  const all = [...notes];
  for (const [index, { typed, candidate }] of notes.entries()) {
    if (typed?.corrects !== true) continue;
    const isSame = ({ attribute, subject }: Pick<Candidate, 'attribute' | 'subject'>): boolean =>
      attribute?.name === typed.attribute.name && (subject ?? null) === (candidate.subject ?? null);
    const earlier = all.slice(0, index).findLastIndex((one) => isSame(one.candidate));
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

/** Messages in which a caller may take back what the agent has repeated. */
const MAX_LATER = 4;

/**
 * What the caller then takes back is noted with the words that do, and without a value or day of its own; unless a
 * corrected value ends it anyway.
 */
export const withTakingBack = (notes: readonly NoteOfTurn[], turns: readonly Turn[]): NoteOfTurn[] =>
  notes.map((one, index) => {
    const { note, category, candidate } = one;
    const isEnded = notes
      .slice(index + 1)
      .some(({ typed }) => typed?.corrects === true && typed.attribute.name === candidate.attribute?.name);
    if (isEnded || note.outcome != null || !isUser(note.said[0].message.role)) return one;
    const outcome = takingBack(note.said, turns);
    if (outcome === null) return one;
    const { attribute: _, eventTime: __, text: ___, sources: ____, ...details } = candidate;
    const taken = { ...note, outcome };
    return { note: taken, category, typed: null, candidate: candidateOf(taken, details) };
  });

/** "No, I meant the 14th", after the agent repeated the 4th. */
const takingBack = (said: Note['said'], turns: readonly Turn[]): Quote | null => {
  const from = turns.findIndex(({ message }) => message === said[0].message);
  const own = new Set(said.flatMap(({ text }) => wordsIn(text)));
  for (let at = from + 2; at <= Math.min(from + MAX_LATER, turns.length - 1); at += 1) {
    const { message, sentences, lexicon } = turns[at] as Turn;
    const { message: before, sentences: repeated } = turns[at - 1] as Turn;
    const first = sentences.find(({ text }) => contentOf(text, lexicon) > 0);
    if (first === undefined || !isUser(message.role) || isUser(before.role)) continue;
    const isBack = lexicon.denies.test(first.text) || lexicon.corrects.test(first.text);
    if (!isBack || isQuestion(first.text) || lexicon.smallTalk.test(first.text)) continue;
    const shared = repeated.flatMap(({ text }) => wordsIn(text)).filter((word) => own.has(word));
    if (contentOf(shared.join(' '), lexicon) > 0) return { message, text: first.text };
  }
  return null;
};
