import { assertReaches, assertReachesNamespace, type Reach } from '@turnkeeper/domain';
import type { MemoryStore } from '../memories/memory-store.port.js';

/**
 * Rejects with `OutOfReach` unless the caller reaches the records of this namespace.
 *
 * @param namespace undefined: the records of all namespaces
 */
export const assertMayReadNamespace = async (
  memories: Pick<MemoryStore, 'strategies'>,
  reach: Reach,
  memoryId: string,
  namespace: string | undefined,
): Promise<void> => {
  if (namespace === undefined) return assertReaches(reach, { memoryId, actorId: null });
  assertReaches(reach, { memoryId, actorId: reach.actorId });
  if (reach.actorId === null) return;
  assertReachesNamespace(reach, await memories.strategies(reach.tenantId, memoryId), namespace);
};
