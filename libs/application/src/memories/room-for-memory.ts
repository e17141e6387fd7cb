import { TooManyMemories } from '@turnkeeper/domain';
import type { MemoryStore } from './memory-store.port.js';
import type { Transaction } from '../shared/transaction.port.js';

/** Rejects with `TooManyMemories` if the tenant has reached its limit. */
export const requireRoomForMemory = async (
  memories: MemoryStore,
  tx: Transaction,
  tenantId: string,
  most: number | null,
): Promise<void> => {
  if (most !== null && (await memories.countBeforeCreation(tx, tenantId)) >= most) throw new TooManyMemories(most);
};
