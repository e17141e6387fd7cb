import type { CreatedMemory, MemoryView, StrategyView } from '@turnkeeper/application';
import { keepsRollingMemory, ROLLING_DEFAULTS, type RollingSettings } from '@turnkeeper/domain';

/** A memory in AgentBase's field names. */
export const memoryResponse = (memory: MemoryView) => ({
  id: memory.memoryId,
  name: memory.name,
  description: memory.description,
  eventExpiryDuration: memory.eventExpiryDuration,
  // Deleted memories are never returned.
  status: 'ACTIVE' as const,
  createdAt: memory.createdAt,
  updatedAt: memory.updatedAt,
});

/** Field names of Inworld's `providerData.memory`. */
const rollingResponse = (rolling: RollingSettings) => ({
  turn_interval: rolling.turnInterval,
  max_facts: rolling.maxFacts,
  max_memory_length: rolling.maxMemoryLength,
  max_transcript_items: rolling.maxTranscriptItems,
  trim_after_summarize: rolling.trimAfterSummarize,
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
  outputSchema: strategy.outputSchema ?? null,
  rollingMemory: keepsRollingMemory(strategy) ? rollingResponse(strategy.rolling ?? ROLLING_DEFAULTS) : null,
  status: strategy.status,
  createdAt: strategy.createdAt,
  updatedAt: strategy.updatedAt,
});

export const createdMemoryResponse = ({ memory, strategies }: CreatedMemory) => ({
  ...memoryResponse(memory),
  longTermMemoryStrategies: strategies.map(strategyResponse),
});
