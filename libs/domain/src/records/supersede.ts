import type { SupersededRecord } from './record-events.js';
import type { Slot } from './slot.js';

interface Statement {
  readonly recordId: string;
  readonly statedAt: string;
  readonly slot: Slot | null;
}

/**
 * Of all statements about one slot, the last one stated is true now; every record with another value is superseded by
 * it. Statements of the same instant count in the given order. History that arrives late therefore never overrules
 * what was said after it.
 */
export const supersede = (statements: readonly Statement[]): readonly SupersededRecord[] => {
  const current = new Map<string, Statement & { readonly slot: Slot }>();
  const filled = statements.filter((statement): statement is Statement & { slot: Slot } => statement.slot !== null);
  for (const statement of filled) {
    const newest = current.get(statement.slot.key);
    if (newest === undefined || Date.parse(statement.statedAt) >= Date.parse(newest.statedAt)) {
      current.set(statement.slot.key, statement);
    }
  }
  return filled.flatMap((statement) => {
    const newest = current.get(statement.slot.key);
    return newest === undefined || newest.slot.value === statement.slot.value
      ? []
      : [{ recordId: statement.recordId, by: newest.recordId }];
  });
};
