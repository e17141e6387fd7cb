import type { Memory, MemoryCreated, MemoryEvent, NewEvent } from '@turnkeeper/domain';
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
    const { ids } = this.deps;
    const data: MemoryCreated = {
      name: body.name,
      description: body.description,
      eventExpiryDuration: body.eventExpiryDuration,
      strategies: body.longTermMemoryStrategies.map((strategy, index) =>
        strategyFrom(strategy, ids, `longTermMemoryStrategies.${index}.`),
      ),
    };
    const memoryId = ids.next();
    const { strategies, ...memory } = await appendMemory(this.deps, tenantId, memoryId, [
      factOf(ids.next(), 'memory.created', data),
    ]);
    return { memory, strategies: strategies.map((strategy) => ({ ...strategy, memoryId })) };
  }
}

/**
 * Appends the first events of a memory and projects them.
 *
 * @throws TooManyMemories
 */
export const appendMemory = async (
  {
    unitOfWork,
    memories,
    mostMemories,
  }: Pick<MemoryChangeDeps, 'unitOfWork' | 'memories'> & {
    readonly mostMemories?: MostOf;
  },
  tenantId: string,
  memoryId: string,
  events: readonly NewEvent[],
): Promise<Memory> => {
  const most = (await mostMemories?.(tenantId)) ?? null;
  return unitOfWork.appendFor(tenantId, async (tx) => {
    await requireRoomForMemory(memories, tx, tenantId, most);
    const scope = { tenantId, memoryId, actorId: null, sessionId: null };
    const pending = pendingEvents(scope, events, await tx.recordedAt()) as MemoryEvent[];
    const memory = await projectMemory({ memories }, tx, null, pending);
    return { append: [{ ...scope, events }], result: () => memory };
  });
};
