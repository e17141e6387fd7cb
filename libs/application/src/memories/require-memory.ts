import { MemoryNotFound } from '@turnkeeper/domain';
import type { MemoryStore, MemoryView } from './memory-store.port.js';

/** Returns the memory. Rejects with `MemoryNotFound`, also if it belongs to another tenant. */
export const requireMemory = async (
  memories: Pick<MemoryStore, 'find'>,
  tenantId: string,
  memoryId: string,
): Promise<MemoryView> => {
  const memory = await memories.find(tenantId, memoryId);
  if (memory === null) throw new MemoryNotFound();
  return memory;
};

/**
 * Does work while the memory is looked up. An unknown memory is reported as such, whatever becomes of the work.
 *
 * @param work changes nothing, and finds nothing in a memory of another tenant
 */
export const besideRequireMemory = async <T>(
  memories: Pick<MemoryStore, 'find'>,
  tenantId: string,
  memoryId: string,
  work: () => Promise<T>,
): Promise<T> => {
  const [memory, result] = await Promise.allSettled([requireMemory(memories, tenantId, memoryId), work()]);
  if (memory.status === 'rejected') throw memory.reason;
  if (result.status === 'rejected') throw result.reason;
  return result.value;
};
