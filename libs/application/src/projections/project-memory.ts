import { evolveMemory, type Memory, type MemoryEvent, type ProjectedEvent } from '@turnkeeper/domain';
import type { MemoryStore } from '../ports/memory-store.port.js';
import type { Transaction } from '../ports/transaction.port.js';

/** Stores what events make of a memory. @param known the memory before them; null for one that is being created */
export const projectMemory = async (
  { memories }: { readonly memories: MemoryStore },
  tx: Transaction,
  known: Memory | null,
  events: readonly ProjectedEvent<MemoryEvent['type']>[],
): Promise<Memory> => {
  const memory = events.reduce<Memory | null>(evolveMemory, known);
  if (memory === null) throw new RangeError('Without an event there is nothing to store.');
  await memories.save(tx, memory);
  return memory;
};
