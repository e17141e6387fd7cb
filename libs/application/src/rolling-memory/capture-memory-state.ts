import { foldCapturedState, type MemoryStateCaptured, type SessionMemory } from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import { requireMemory } from '../memories/require-memory.js';
import type { SessionScope } from '../log/event-store.port.js';
import { commitOnly } from '../shared/transaction.port.js';
import { projectRollingMemory } from '../projections/project-rolling-memory.js';
import { factOf } from '../log/stored-event.js';

export interface CapturedMemory extends SessionMemory {
  /** False if this version or a newer one is already stored. */
  readonly applied: boolean;
}

/** Stores a realtime session's memory state. Idempotent per session and version. */
export class CaptureMemoryState {
  constructor(private readonly deps: Pick<Ports, 'unitOfWork' | 'memories' | 'rollingMemory' | 'ids'>) {}

  async execute(scope: SessionScope, data: MemoryStateCaptured): Promise<CapturedMemory> {
    const { unitOfWork, memories, rollingMemory, ids } = this.deps;
    await requireMemory(memories, scope.tenantId, scope.memoryId);
    return unitOfWork.appendFor<CapturedMemory>(scope.tenantId, async (tx) => {
      const known = await rollingMemory.findForUpdate(tx, scope);
      if (foldCapturedState(known, data, data) === known) return commitOnly({ ...known, applied: false });
      const event = factOf(ids.next(), 'memory_state.captured', data);
      const recordedAt = await tx.recordedAt();
      const memory = await projectRollingMemory({ rollingMemory }, tx, known, { ...scope, data, recordedAt });
      return { append: [{ ...scope, events: [event] }], result: () => ({ ...memory, applied: true }) };
    });
  }
}
