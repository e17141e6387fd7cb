import { evolveMemory, type Memory, type MemoryEvent, type ProjectedEvent } from '@turnkeeper/domain';
import type { MemoryStore } from '../memories/memory-store.port.js';
import type { Transaction } from '../shared/transaction.port.js';

/** Applies events to a memory's row. @param known state before the events; null for a new memory */
export const projectMemory = async (
  { memories }: { readonly memories: MemoryStore },
  tx: Transaction,
  known: Memory | null,
  events: readonly ProjectedEvent<MemoryEvent['type']>[],
): Promise<Memory> => {
  const memory = events.reduce<Memory | null>(evolveMemory, known);
  if (memory === null) throw new RangeError('At least one event is required.');
  await memories.save(tx, memory);
  return memory;
};
