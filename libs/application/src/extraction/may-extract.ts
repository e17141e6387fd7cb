import { assertReaches, assertReachesNamespace, resolveNamespace, type Reach } from '@turnkeeper/domain';
import type { MemoryStore } from '../memories/memory-store.port.js';

/**
 * Rejects with `OutOfReach` unless the caller reaches the records that a strategy would make of this session: their
 * namespace may be shared, or that of a session with the same name.
 */
export const assertMayExtract = async (
  memories: Pick<MemoryStore, 'strategies'>,
  reach: Reach,
  { memoryId, actorId, sessionId }: { readonly memoryId: string; readonly actorId: string; readonly sessionId: string },
  strategyId: string,
): Promise<void> => {
  assertReaches(reach, { memoryId, actorId });
  if (reach.actorId === null) return;
  const strategies = await memories.strategies(reach.tenantId, memoryId);
  const template = strategies.find((each) => each.strategyId === strategyId)?.namespaceTemplate ?? '';
  const namespace = resolveNamespace(template, { memoryStrategyId: strategyId, actorId, sessionId });
  assertReachesNamespace(reach, strategies, namespace);
};
