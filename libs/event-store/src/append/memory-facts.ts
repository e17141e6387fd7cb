import type { AppendRequest, Appended, Transaction } from '@turnkeeper/application';

/**
 * What a memory's own facts change about how it takes events: whether it does, and for how long they live. Part of the
 * transaction that appends the fact. `memory.created` opens the gate in the append itself.
 */
export const applyMemoryFact = async (tx: Transaction, request: AppendRequest, appended: Appended): Promise<void> => {
  const { tenantId, memoryId, events } = request;
  for (const event of events) {
    if (event.type === 'memory.deleted') await tx.query('select close_memory($1, $2)', [tenantId, memoryId]);
    if (event.type === 'memory.expiry_changed') {
      const { eventExpiryDuration, appliedToExisting } = event.data;
      const before = appliedToExisting ? appended.firstPosition : null;
      await tx.query('select change_expiry($1, $2, $3, $4)', [tenantId, memoryId, eventExpiryDuration, before]);
    }
  }
};
