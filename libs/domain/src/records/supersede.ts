import type { SupersededRecord } from './record-events.js';
import { contradicts, type Slot } from './slot.js';
import { isInTime } from './slots/in-time.js';

interface Statement {
  readonly recordId: string;
  readonly statedAt: string;
  readonly slot: Slot | null;
}
type Filled = Statement & { readonly slot: Slot };

/**
 * Each statement of a slot is superseded by the newest later one that contradicts it. Statements with equal times are
 * ordered as given. A late-arriving message therefore never supersedes anything stated after it.
 */
export const supersede = (statements: readonly Statement[]): readonly SupersededRecord[] => {
  const bySlot = new Map<string, Filled[]>();
  for (const statement of statements) {
    if (statement.slot === null) continue;
    const filled = bySlot.get(statement.slot.key) ?? [];
    filled.push(statement as Filled);
    bySlot.set(statement.slot.key, filled);
  }
  const ended = [...bySlot.values()].flatMap((group) => {
    const ordered = group.toSorted((one, other) => Date.parse(one.statedAt) - Date.parse(other.statedAt));
    return ordered.flatMap((older, index) => {
      const by = ordered.slice(index + 1).findLast((newer) => ends(older, newer));
      return by === undefined ? [] : [{ recordId: older.recordId, by: by.recordId }];
    });
  });
  // Restore the input order.
  const byId = new Map(ended.map((entry) => [entry.recordId, entry]));
  return statements.flatMap(({ recordId }) => byId.get(recordId) ?? []);
};

/**
 * Which of the current statements supersedes a record that becomes current again: the newest one of its slot that was not
 * stated before it and contradicts it.
 */
export const supersederOf = <S extends Statement>(record: Statement, current: readonly S[]): S | undefined => {
  const { slot } = record;
  if (slot === null) return undefined;
  const since = Date.parse(record.statedAt);
  return current
    .filter((other) => other.slot?.key === slot.key && Date.parse(other.statedAt) >= since)
    .toSorted((one, other) => Date.parse(one.statedAt) - Date.parse(other.statedAt))
    .findLast((newer) => ends({ ...record, slot }, newer as S & Filled));
};

const ends = (older: Filled, newer: Filled): boolean => contradicts(older.slot, newer.slot) && isInTime(older, newer);
