import { requireMemory } from '../memories/require-memory.js';
import type { DispatchCursor } from '../ports/dispatch-cursor.port.js';
import type { EventStore } from '../ports/event-store.port.js';
import type { ExtractionStore, StrategyProgress } from '../ports/extraction-store.port.js';
import type { MemoryStore } from '../ports/memory-store.port.js';

export interface ExtractionProgress {
  /** Nothing that was appended before this question waits for an automatic strategy. Parked sessions do not wait. */
  readonly caughtUp: boolean;
  readonly strategies: readonly StrategyProgress[];
}

/** Tells how far the strategies of a memory have got. */
export class ExtractionStatus {
  constructor(
    private readonly deps: {
      readonly memories: MemoryStore;
      readonly eventStore: EventStore;
      readonly cursor: DispatchCursor;
      readonly extractions: ExtractionStore;
    },
  ) {}

  async execute(tenantId: string, memoryId: string): Promise<ExtractionProgress> {
    const { memories, eventStore, cursor, extractions } = this.deps;
    await requireMemory(memories, tenantId, memoryId);
    // In this order: what is dispatched after the head was read can only make the answer later, never wrong.
    const head = await eventStore.headPosition();
    const dispatched = await cursor.position();
    const strategies = await extractions.progress(tenantId, memoryId);
    const caughtUp = dispatched >= head && strategies.every((strategy) => strategy.pendingSessions === 0);
    return { caughtUp, strategies };
  }
}
