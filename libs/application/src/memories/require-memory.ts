import { MemoryNotFound } from '@turnkeeper/domain';
import type { MemoryStore, MemoryView } from './memory-store.port.js';

/** Returns the memory. Rejects with `MemoryNotFound`, also if it belongs to another tenant. */
export const requireMemory = async (memories: MemoryStore, tenantId: string, memoryId: string): Promise<MemoryView> => {
  const memory = await memories.find(tenantId, memoryId);
  if (memory === null) throw new MemoryNotFound();
  return memory;
};
