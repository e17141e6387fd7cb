import { MemoryNotFound } from '@turnkeeper/domain';
import type { MemoryStore, MemoryView } from '../ports/memory-store.port.js';

/** The memory, or a refusal that does not tell whether another tenant has it. */
export const requireMemory = async (memories: MemoryStore, tenantId: string, memoryId: string): Promise<MemoryView> => {
  const memory = await memories.find(tenantId, memoryId);
  if (memory === null) throw new MemoryNotFound();
  return memory;
};
