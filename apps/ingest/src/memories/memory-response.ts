import type { MemoryView, StrategyView } from '@turnkeeper/application';

/** A memory in AgentBase's field names. */
export const memoryResponse = ({ memoryId, tenantId: _, ...memory }: MemoryView) => ({ id: memoryId, ...memory });

/** A strategy in AgentBase's field names, with the version that records name. */
export const strategyResponse = (strategy: StrategyView) => ({
  id: strategy.strategyId,
  memoryId: strategy.memoryId,
  name: strategy.name,
  type: strategy.type,
  version: strategy.version,
  namespaceTemplate: strategy.namespaceTemplate,
  enableAutomaticMemoryRecordGeneration: strategy.automatic,
  customFactExtractionPrompt: strategy.customPrompt,
  status: strategy.status,
  createdAt: strategy.createdAt,
  updatedAt: strategy.updatedAt,
});
