import {
  assertNamespaceTemplate,
  DEFAULT_NAMESPACE_TEMPLATE,
  type MemoryCreated,
  type NewEvent,
  type Strategy,
} from '@turnkeeper/domain';
import type { CreateMemoryBody } from '@turnkeeper/contracts';
import type { Ids } from '../ports/clock.port.js';
import type { EventStore } from '../ports/event-store.port.js';
import type { MemoryStore, MemoryView, StrategyView } from '../ports/memory-store.port.js';
import type { UnitOfWork } from '../ports/transaction.port.js';

export interface CreatedMemory {
  readonly memory: MemoryView;
  readonly strategies: readonly StrategyView[];
}

/** Creates a memory with its strategies. It is ACTIVE when this resolves. */
export class CreateMemory {
  constructor(
    private readonly deps: {
      readonly unitOfWork: UnitOfWork;
      readonly eventStore: EventStore;
      readonly memories: MemoryStore;
      readonly ids: Ids;
    },
  ) {}

  async execute(tenantId: string, body: CreateMemoryBody): Promise<CreatedMemory> {
    const { ids, eventStore, memories, unitOfWork } = this.deps;
    const memoryId = ids.next();
    const data: MemoryCreated = {
      name: body.name,
      description: body.description,
      eventExpiryDuration: body.eventExpiryDuration,
      strategies: body.longTermMemoryStrategies.map((strategy, index) => strategyFrom(strategy, index, ids)),
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

const strategyFrom = (
  body: CreateMemoryBody['longTermMemoryStrategies'][number],
  index: number,
  ids: Ids,
): Strategy => {
  const namespaceTemplate = body.namespaceTemplate || DEFAULT_NAMESPACE_TEMPLATE;
  assertNamespaceTemplate(namespaceTemplate, `longTermMemoryStrategies.${index}.namespaceTemplate`);
  return {
    strategyId: ids.next(),
    name: body.name,
    type: body.type,
    version: 1,
    namespaceTemplate,
    automatic: body.enableAutomaticMemoryRecordGeneration,
    customPrompt: body.customFactExtractionPrompt ?? null,
  };
};

/** What a `memory.created` event makes of the read models. */
export const projectMemory = (
  tenantId: string,
  memoryId: string,
  data: MemoryCreated,
  recordedAt: string,
): CreatedMemory => {
  const stamps = { createdAt: recordedAt, updatedAt: recordedAt };
  return {
    memory: {
      memoryId,
      tenantId,
      name: data.name,
      description: data.description,
      eventExpiryDuration: data.eventExpiryDuration,
      status: 'ACTIVE',
      ...stamps,
    },
    strategies: data.strategies.map((strategy) => ({ ...strategy, memoryId, status: 'ACTIVE', ...stamps })),
  };
};
