import type { Candidate, KnownRecord, RelationKind } from './candidate.js';
import { factKey } from './fact-key.js';
import { foldedText } from './folded-text.js';
import { subjectKey } from './slot.js';

/** Telling again of what happened on a day, or of what is over, does not make it newer. */
export const isDatedEvent = ({ eventTime }: KnownRecord): boolean => eventTime?.to != null;

/**
 * Whether a fact says all that a record says, and more: it has every word of the record with a digit or a capital, and
 * most of the others.
 */
export const addsDetail = (text: string, record: string): boolean => {
  const said = new Set(wordsOf(text));
  const [all, kept] = [wordsOf(record), wordsOf(record).filter((word) => said.has(word))];
  const names = (record.match(WORD) ?? []).filter((word) => /[\p{Lu}\p{N}]/u.test(word)).map(foldedText);
  return (
    [...said].filter((word) => !all.includes(word)).length >= LEAST_ADDED &&
    kept.length >= all.length * LEAST_KEPT &&
    names.every((name) => said.has(name)) &&
    factKey(text) !== factKey(record)
  );
};
const LEAST_KEPT = 2 / 3;
/** One more word ("still", "really") is no detail. */
const LEAST_ADDED = 2;

/**
 * Whether two texts that give one attribute the same value state the same fact: they share a third of their words. "Asked
 * to be called at …" tells more than a phone number.
 */
export const isAlike = (one: string, other: string): boolean => {
  const [first, second] = [new Set(wordsOf(one)), new Set(wordsOf(other))];
  const shared = [...first].filter((word) => second.has(word)).length;
  return shared * 3 >= first.size + second.size - shared;
};

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const wordsOf = (text: string): string[] => foldedText(text).match(WORD) ?? [];

/**
 * Whether a relation is possible: both are about the same person. What one person asked for or planned can end by what
 * another one does. Records of earlier releases have no subject; their text names it.
 */
export const canRelate = (kind: RelationKind, candidate: Candidate, record: KnownRecord): boolean => {
  if (kind === 'another' || (kind === 'ends' && isOpen(record))) return true;
  const [one, other] = [subjectKey(candidate.subject), subjectKey(record.subject)];
  if (one === other) return true;
  const isNamedIn = (name: string, text: string): boolean =>
    name !== '' && ` ${subjectKey(text)} `.includes(` ${name} `);
  return one === '' ? isNamedIn(other, candidate.text) : other === '' && isNamedIn(one, record.text);
};

const isOpen = ({ category }: KnownRecord): boolean =>
  category === 'request' || category === 'plan' || category === 'commitment';
