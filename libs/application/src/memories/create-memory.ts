import type { MemoryCreated, MemoryEvent } from '@turnkeeper/domain';
import type { CreateMemoryBody } from '@turnkeeper/contracts';
import { factOf, pendingEvents } from '../log/stored-event.js';
import type { MemoryView, StrategyView } from './memory-store.port.js';
import { projectMemory } from '../projections/project-memory.js';
import type { MemoryChangeDeps } from './change-memory.js';
import type { MostOf } from '../tenancy/most-of.js';
import { requireRoomForMemory } from './room-for-memory.js';
import { strategyFrom } from './change-strategies.js';

export interface CreatedMemory {
  readonly memory: MemoryView;
  readonly strategies: readonly StrategyView[];
}

/** Creates a memory with its strategies. It is ACTIVE when this resolves. */
export class CreateMemory {
  /** @param mostMemories default: unlimited */
  constructor(private readonly deps: MemoryChangeDeps & { readonly mostMemories?: MostOf }) {}

  /** Rejects with `TooManyMemories`. */
  async execute(tenantId: string, body: CreateMemoryBody): Promise<CreatedMemory> {
    const { ids, memories, unitOfWork } = this.deps;
    const memoryId = ids.next();
    const most = (await this.deps.mostMemories?.(tenantId)) ?? null;
    const data: MemoryCreated = {
      name: body.name,
      description: body.description,
      eventExpiryDuration: body.eventExpiryDuration,
      strategies: body.longTermMemoryStrategies.map((strategy, index) =>
        strategyFrom(strategy, ids, `longTermMemoryStrategies.${index}.`),
      ),
    };
    const event = factOf(ids.next(), 'memory.created', data);
    return unitOfWork.appendFor(tenantId, async (tx) => {
      await requireRoomForMemory(memories, tx, tenantId, most);
      const scope = { tenantId, memoryId, actorId: null, sessionId: null };
      const created = pendingEvents(scope, [event], await tx.recordedAt()) as MemoryEvent[];
      const { strategies, ...memory } = await projectMemory({ memories }, tx, null, created);
      return {
        append: [{ ...scope, events: [event] }],
        result: () => ({ memory, strategies: strategies.map((strategy) => ({ ...strategy, memoryId })) }),
      };
    });
  }
}
