import type { SupersededRecord } from './record-events.js';
import { contradicts, type Slot } from './slot.js';

export interface Statement {
  readonly recordId: string;
  /** ISO 8601. */
  readonly statedAt: string;
  /** Session sequence, which orders statements with equal times; absent: 0. */
  readonly sequence?: number;
  readonly slot: Slot | null;
}
type Filled = Statement & { readonly slot: Slot };

/** Orders statements by when they were made; those of the same time by their place in the session. */
export const byTimeStated = (
  one: Pick<Statement, 'statedAt' | 'sequence'>,
  other: Pick<Statement, 'statedAt' | 'sequence'>,
): number => Date.parse(one.statedAt) - Date.parse(other.statedAt) || (one.sequence ?? 0) - (other.sequence ?? 0);

/**
 * Each statement of a slot is superseded by the newest later one that contradicts it. Statements with equal times and
 * sequences are ordered as given. A late-arriving message therefore never supersedes anything stated after it.
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
    const ordered = group.toSorted(byTimeStated);
    return ordered.flatMap((older, index) => {
      const by = ordered.slice(index + 1).findLast((newer) => contradicts(older.slot, newer.slot));
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
  return current
    .filter((other) => byTimeStated(other, record) >= 0)
    .toSorted(byTimeStated)
    .findLast((newer) => newer.slot !== null && contradicts(slot, newer.slot));
};
