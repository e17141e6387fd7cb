import { TooManyMemories } from '@turnkeeper/domain';
import type { MemoryStore } from '../ports/memory-store.port.js';
import type { Transaction } from '../ports/transaction.port.js';

/** Tells how many memories a tenant may have now; null for any number. */
export type MostMemories = (tenantId: string) => Promise<number | null>;

/** Rejects with `TooManyMemories` where the tenant has no room for another one. */
export const requireRoomForMemory = async (
  memories: MemoryStore,
  tx: Transaction,
  tenantId: string,
  most: number | null,
): Promise<void> => {
  if (most !== null && (await memories.countBeforeCreation(tx, tenantId)) >= most) throw new TooManyMemories(most);
};
