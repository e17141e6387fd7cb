import type { CreatedMemory, MemoryView, StrategyView } from '@turnkeeper/application';

/** A memory in AgentBase's field names. */
export const memoryResponse = (memory: MemoryView) => ({
  id: memory.memoryId,
  name: memory.name,
  description: memory.description,
  eventExpiryDuration: memory.eventExpiryDuration,
  // A deleted memory is not shown to anybody.
  status: 'ACTIVE' as const,
  createdAt: memory.createdAt,
  updatedAt: memory.updatedAt,
});

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

export const createdMemoryResponse = ({ memory, strategies }: CreatedMemory) => ({
  ...memoryResponse(memory),
  longTermMemoryStrategies: strategies.map(strategyResponse),
});
