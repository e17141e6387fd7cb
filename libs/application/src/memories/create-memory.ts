import { evolveMemory, type MemoryCreated, type NewEvent } from '@turnkeeper/domain';
import type { CreateMemoryBody } from '@turnkeeper/contracts';
import type { MemoryView, StrategyView } from '../ports/memory-store.port.js';
import type { MemoryChangeDeps } from './change-memory.js';
import { strategyFrom } from './change-strategies.js';

export interface CreatedMemory {
  readonly memory: MemoryView;
  readonly strategies: readonly StrategyView[];
}

/** Creates a memory with its strategies. It is ACTIVE when this resolves. */
export class CreateMemory {
  constructor(private readonly deps: MemoryChangeDeps) {}

  async execute(tenantId: string, body: CreateMemoryBody): Promise<CreatedMemory> {
    const { ids, eventStore, memories, unitOfWork } = this.deps;
    const memoryId = ids.next();
    const data: MemoryCreated = {
      name: body.name,
      description: body.description,
      eventExpiryDuration: body.eventExpiryDuration,
      strategies: body.longTermMemoryStrategies.map((strategy, index) =>
        strategyFrom(strategy, ids, `longTermMemoryStrategies.${index}.`),
      ),
    };
    const event: NewEvent = {
      eventId: ids.next(),
      type: 'memory.created',
      schemaVersion: 1,
      data,
      occurredAt: null,
    };
    return unitOfWork.run(async (tx) => {
      const scope = { tenantId, memoryId, actorId: null, sessionId: null };
      const { recordedAt } = await eventStore.appendIn(tx, { ...scope, events: [event] });
      const created = projectMemory(tenantId, memoryId, data, recordedAt);
      await memories.insert(tx, created.memory, created.strategies);
      return created;
    });
  }
}

/** What a `memory.created` event makes of the read models. */
export const projectMemory = (
  tenantId: string,
  memoryId: string,
  data: MemoryCreated,
  recordedAt: string,
): CreatedMemory => {
  const { strategies, ...memory } = evolveMemory(null, {
    tenantId,
    memoryId,
    recordedAt,
    type: 'memory.created',
    data,
  });
  return { memory, strategies: strategies.map((strategy) => ({ ...strategy, memoryId })) };
};
