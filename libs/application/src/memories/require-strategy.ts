import { StrategyIsDisabled, StrategyNotFound } from '@turnkeeper/domain';
import type { MemoryStore, StrategyView } from './memory-store.port.js';

/** Returns the strategy with this id. Throws `StrategyNotFound`. */
export const requireStrategy = <S extends { readonly strategyId: string }>(
  strategies: readonly S[],
  strategyId: string,
): S => {
  const strategy = strategies.find((candidate) => candidate.strategyId === strategyId);
  if (strategy === undefined) throw new StrategyNotFound();
  return strategy;
};

/** Returns a strategy of the memory. Rejects with `StrategyNotFound` or `StrategyIsDisabled`. */
export const requireActiveStrategy = async (
  memories: MemoryStore,
  tenantId: string,
  memoryId: string,
  strategyId: string,
): Promise<StrategyView> => {
  const strategy = requireStrategy(await memories.strategies(tenantId, memoryId), strategyId);
  if (strategy.status === 'DISABLED') throw new StrategyIsDisabled();
  return strategy;
};
