import { MemoryNotFound, type EventDataByType, type Memory, type MemoryEvent, type NewEvent } from '@turnkeeper/domain';
import type { ChangeMemoryBody } from '@turnkeeper/contracts';
import type { Ports } from '../ports.js';
import { factOf, pendingEvents } from '../log/stored-event.js';
import type { LogErasure } from '../erasure/log-erasure.port.js';
import { commitOnly, type Transaction } from '../shared/transaction.port.js';
import { projectMemory } from '../projections/project-memory.js';

export type MemoryChangeDeps = Pick<Ports, 'unitOfWork' | 'memories' | 'ids'>;

type Change = { [T in MemoryEvent['type']]: readonly [T, EventDataByType[T]] }[MemoryEvent['type']];

/** Applies the events returned by `decide` to the memory and appends them. */
export const changeMemory = (
  { unitOfWork, memories, ids }: MemoryChangeDeps,
  tenantId: string,
  memoryId: string,
  decide: (memory: Memory, tx: Transaction) => readonly Change[] | Promise<readonly Change[]>,
): Promise<Memory> =>
  unitOfWork.appendFor(tenantId, async (tx) => {
    const memory = await memories.findForUpdate(tx, tenantId, memoryId);
    if (memory === null) throw new MemoryNotFound();
    const changes = await decide(memory, tx);
    if (changes.length === 0) return commitOnly(memory);
    const events = changes.map(([type, data]) => factOf(ids.next(), type, data) as NewEvent);
    const scope = { tenantId, memoryId, actorId: null, sessionId: null };
    const pending = pendingEvents(scope, events, await tx.recordedAt()) as MemoryEvent[];
    const changed = await projectMemory({ memories }, tx, memory, pending);
    return { append: [{ ...scope, events }], result: () => changed };
  });

/** Changes a memory's name, description and event retention, for new events and optionally for existing ones. */
export class ChangeMemory {
  constructor(private readonly deps: MemoryChangeDeps & { readonly erasure: LogErasure }) {}

  /** @param check throws if the change was made for another version than the current one */
  async execute(
    tenantId: string,
    memoryId: string,
    body: ChangeMemoryBody,
    check: (current: Memory) => void = () => undefined,
  ): Promise<Memory> {
    const { name, description, eventExpiryDuration, applyToExisting } = body;
    const memory = await changeMemory(this.deps, tenantId, memoryId, (before) => {
      check(before);
      const changes: Change[] = [];
      if (name !== undefined && name !== before.name) changes.push(['memory.renamed', { name }]);
      if (description !== undefined && description !== before.description) {
        changes.push(['memory.described', { description }]);
      }
      if (
        eventExpiryDuration !== undefined &&
        (applyToExisting || eventExpiryDuration !== before.eventExpiryDuration)
      ) {
        changes.push(['memory.expiry_changed', { eventExpiryDuration, appliedToExisting: applyToExisting }]);
      }
      return changes;
    });
    // Not part of the transaction: after a crash, the next sweep completes it.
    if (applyToExisting) await this.deps.erasure.applyExpiry(memoryId);
    return memory;
  }
}
