import { findByAnyId } from '@turnkeeper/application';
import { uuid } from '@turnkeeper/contracts';
import type { Stores } from '@turnkeeper/runtime';
import type { Owners } from './beyond-reach.js';

/** Finds owners in the stores. Invalid ids have no owner. */
export const ownersIn = ({ memories, records, agents }: Stores): Owners => ({
  strategies: (tenantId, memoryId) => (isId(memoryId) ? memories.strategies(tenantId, memoryId.toLowerCase()) : none()),
  namespaceOfRecord: async (tenantId, memoryId, recordId) => {
    if (!isId(memoryId) || !isId(recordId)) return null;
    const record = await records.find(tenantId, memoryId.toLowerCase(), recordId.toLowerCase());
    return record?.namespace ?? null;
  },
  // Agora's routes accept its own ids too, so they have an owner as well.
  agent: (tenantId, agentId) => findByAnyId(agents, tenantId, agentId),
});

const isId = (value: string): boolean => uuid.safeParse(value).success;
const none = () => Promise.resolve([]);
