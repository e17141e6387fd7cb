import { SessionNotFound, type Reach } from '@turnkeeper/domain';
import { requireMemory } from '../memories/require-memory.js';
import type { SessionScope } from '../log/event-store.port.js';
import type { ExtractionSchedule } from './extraction-schedule.port.js';
import type { MemoryStore } from '../memories/memory-store.port.js';
import { requireActiveStrategy } from '../memories/require-strategy.js';
import { assertMayExtract } from './may-extract.js';

/** Makes a session due now for one strategy, regardless of turn interval and quiet period. */
export class RequestExtraction {
  constructor(
    private readonly deps: { readonly memories: MemoryStore; readonly extractionSchedule: ExtractionSchedule },
  ) {}

  async execute(reach: Reach, scope: SessionScope, strategyId: string): Promise<void> {
    const { memories, extractionSchedule } = this.deps;
    await requireMemory(memories, scope.tenantId, scope.memoryId);
    await requireActiveStrategy(memories, scope.tenantId, scope.memoryId, strategyId);
    await assertMayExtract(memories, reach, scope, strategyId);
    if (!(await extractionSchedule.request(scope, strategyId))) throw new SessionNotFound();
  }
}
