import type { ProjectionStores, ShadowProjections } from '@turnkeeper/application';
import type { DataSource } from 'typeorm';
import { TypeOrmMemoryStore } from '../projections/memories/memory-store.js';
import { BufferedAgents, BufferedRecords, BufferedRollingMemory } from './buffered-stores.js';
import { PgShadowProjections } from './pg-shadow-projections.js';

/** A shadow with stores that write to it one log page at a time. For rebuilds only. */
export const createShadowStores = (
  dataSource: DataSource,
): ProjectionStores & { readonly shadow: ShadowProjections } => {
  const recordWriter = new BufferedRecords();
  const agents = new BufferedAgents(dataSource);
  const rollingMemory = new BufferedRollingMemory(dataSource);
  return {
    shadow: new PgShadowProjections(dataSource, [recordWriter, agents, rollingMemory]),
    memories: new TypeOrmMemoryStore(dataSource),
    agents,
    recordWriter,
    rollingMemory,
  };
};
