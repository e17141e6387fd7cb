import { SessionNotFound, StrategyIsDisabled, StrategyNotFound } from '@turnkeeper/domain';
import { requireMemory } from '../memories/require-memory.js';
import type { SessionScope } from '../log/event-store.port.js';
import type { ExtractionSchedule } from './extraction-schedule.port.js';
import type { MemoryStore } from '../memories/memory-store.port.js';

/** Makes a session due now for one strategy, regardless of turn interval and quiet period. */
export class RequestExtraction {
  constructor(
    private readonly deps: { readonly memories: MemoryStore; readonly extractionSchedule: ExtractionSchedule },
  ) {}

  async execute(scope: SessionScope, strategyId: string): Promise<void> {
    const { memories, extractionSchedule } = this.deps;
    await requireMemory(memories, scope.tenantId, scope.memoryId);
    const strategies = await memories.strategies(scope.tenantId, scope.memoryId);
    const strategy = strategies.find((candidate) => candidate.strategyId === strategyId);
    if (strategy === undefined) throw new StrategyNotFound();
    if (strategy.status === 'DISABLED') throw new StrategyIsDisabled();
    if (!(await extractionSchedule.request(scope, strategyId))) throw new SessionNotFound();
  }
}
