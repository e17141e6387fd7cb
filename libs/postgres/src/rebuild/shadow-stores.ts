import type { ProjectionStores, ShadowProjections } from '@turnkeeper/application';
import type { DataSource } from 'typeorm';
import { TypeOrmMemoryStore } from '../projections/memories/memory-store.js';
import { BufferedAgents, BufferedRecords, BufferedRollingMemory } from './buffered-stores.js';
import { PgShadowProjections } from './pg-shadow-projections.js';

/** A shadow with stores that write to it one log page at a time. For rebuilds only. */
export const createShadowStores = (
  dataSource: DataSource,
): ProjectionStores & { readonly shadow: ShadowProjections } => {
  const records = new BufferedRecords(dataSource);
  const agents = new BufferedAgents(dataSource);
  const rollingMemory = new BufferedRollingMemory(dataSource);
  return {
    shadow: new PgShadowProjections(dataSource, [records, agents, rollingMemory]),
    memories: new TypeOrmMemoryStore(dataSource),
    agents,
    records,
    recordChanges: records.changes,
    rollingMemory,
  };
};
