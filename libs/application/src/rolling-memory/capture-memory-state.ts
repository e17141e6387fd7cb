import { foldCapturedState, type MemoryStateCaptured, type NewEvent, type SessionMemory } from '@turnkeeper/domain';
import type { Ids } from '../shared/clock.port.js';
import { requireMemory } from '../memories/require-memory.js';
import type { EventStore, SessionScope } from '../log/event-store.port.js';
import type { MemoryStore } from '../memories/memory-store.port.js';
import type { RollingMemoryStore } from './rolling-memory-store.port.js';
import { commitOnly, type UnitOfWork } from '../shared/transaction.port.js';
import { projectRollingMemory } from '../projections/project-rolling-memory.js';

export interface CapturedMemory extends SessionMemory {
  /** False if this version or a newer one is already stored. */
  readonly applied: boolean;
}

/** Stores a realtime session's memory state. Idempotent per session and version. */
export class CaptureMemoryState {
  constructor(
    private readonly deps: {
      readonly unitOfWork: UnitOfWork;
      readonly eventStore: EventStore;
      readonly memories: MemoryStore;
      readonly rollingMemory: RollingMemoryStore;
      readonly ids: Ids;
    },
  ) {}

  async execute(scope: SessionScope, data: MemoryStateCaptured): Promise<CapturedMemory> {
    const { unitOfWork, memories, rollingMemory, ids } = this.deps;
    await requireMemory(memories, scope.tenantId, scope.memoryId);
    return unitOfWork.appendFor<CapturedMemory>(scope.tenantId, async (tx) => {
      const known = await rollingMemory.findForUpdate(tx, scope);
      if (foldCapturedState(known, data, data) === known) return commitOnly({ ...known, applied: false });
      const event: NewEvent = {
        eventId: ids.next(),
        type: 'memory_state.captured',
        schemaVersion: 1,
        data,
        occurredAt: null,
      };
      const recordedAt = await tx.recordedAt();
      const memory = await projectRollingMemory({ rollingMemory }, tx, known, { ...scope, data, recordedAt });
      return { append: [{ ...scope, events: [event] }], result: () => ({ ...memory, applied: true }) };
    });
  }
}
