import { DomainError, StrategyNotFound } from '@turnkeeper/domain';
import { requireMemory } from '../memories/require-memory.js';
import type { SessionScope } from '../ports/event-store.port.js';
import type { ExtractionStore } from '../ports/extraction-store.port.js';
import type { MemoryStore } from '../ports/memory-store.port.js';

export class SessionNotFound extends DomainError {
  readonly code = 'session.not_found';
  readonly kind = 'not_found';
  constructor() {
    super('There is no such session.', {
      field: 'sessionId',
      rule: 'must name a session that has at least one event',
      next: 'Append an event to it first.',
    });
  }
}

/** Has a session read for one strategy now, whatever its turns and however lively it is. */
export class RequestExtraction {
  constructor(private readonly deps: { readonly memories: MemoryStore; readonly extractions: ExtractionStore }) {}

  async execute(scope: SessionScope, strategyId: string): Promise<void> {
    const { memories, extractions } = this.deps;
    await requireMemory(memories, scope.tenantId, scope.memoryId);
    const strategies = await memories.strategies(scope.tenantId, scope.memoryId);
    if (!strategies.some((strategy) => strategy.strategyId === strategyId)) throw new StrategyNotFound();
    if (!(await extractions.request(scope, strategyId))) throw new SessionNotFound();
  }
}
