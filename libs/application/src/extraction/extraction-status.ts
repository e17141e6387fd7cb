import type { Ports } from '../ports.js';
import { requireMemory } from '../memories/require-memory.js';
import type { StrategyProgress } from './extraction-states.port.js';

export interface ExtractionProgress {
  /** True if no event appended before this request waits for an automatic strategy. Parked sessions do not count. */
  readonly caughtUp: boolean;
  readonly strategies: readonly StrategyProgress[];
}

/** Returns the progress of a memory's strategies. */
export class ExtractionStatus {
  constructor(private readonly deps: Pick<Ports, 'memories' | 'eventStore' | 'cursor' | 'extractionStates'>) {}

  async execute(tenantId: string, memoryId: string): Promise<ExtractionProgress> {
    const { memories, eventStore, cursor, extractionStates } = this.deps;
    await requireMemory(memories, tenantId, memoryId);
    // The order matters: events dispatched after reading the head can only delay the result, never falsify it.
    const head = await eventStore.headPosition();
    const dispatched = await cursor.position();
    const strategies = await extractionStates.progress(tenantId, memoryId);
    const caughtUp = dispatched >= head && strategies.every((strategy) => strategy.pendingSessions === 0);
    return { caughtUp, strategies };
  }
}
