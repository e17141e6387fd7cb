import { foldCapturedState, type MemoryStateCaptured, type SessionMemory } from '@turnkeeper/domain';
import { scopeOf, type SessionScope } from '../log/event-store.port.js';
import type { RollingMemoryStore } from '../rolling-memory/rolling-memory-store.port.js';
import type { Transaction } from '../shared/transaction.port.js';

/** Applies a captured state to its session's rolling memory. @param known state before it */
export const projectRollingMemory = async (
  { rollingMemory }: { readonly rollingMemory: RollingMemoryStore },
  tx: Transaction,
  known: SessionMemory,
  event: SessionScope & { readonly data: MemoryStateCaptured; readonly recordedAt: string },
): Promise<SessionMemory> => {
  const { data, recordedAt } = event;
  const memory = foldCapturedState(known, data, data);
  if (memory !== known) await rollingMemory.save(tx, scopeOf(event), memory, recordedAt);
  return memory;
};
