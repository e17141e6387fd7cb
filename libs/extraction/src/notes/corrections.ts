import type { ExistingRecord } from '@turnkeeper/application';
import type { Candidate } from '@turnkeeper/domain';
import type { NoteOfTurn } from './turn.js';

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
