import type { AgentFilter, AgentPlace, AgentStore, Page, Settlement, Transaction } from '@turnkeeper/application';
import { AgentNameTaken, type Agent } from '@turnkeeper/domain';
import type { DataSource, EntityManager } from 'typeorm';
import { inTenant } from '../../connections/database.js';
import { managerOf } from '../../connections/unit-of-work.js';
import { AgentEntity } from './agent.entity.js';
import { viewOf } from '../../connections/view.js';
import { refusing } from '../../connections/lasting-failure.js';

const agentRow = (agent: Agent) => ({
  ...agent,
  startedAt: new Date(agent.startedAt),
  updatedAt: agent.updatedAt === null ? null : new Date(agent.updatedAt),
  stoppedAt: agent.stoppedAt === null ? null : new Date(agent.stoppedAt),
});

export class TypeOrmAgentStore implements AgentStore {
  constructor(private readonly dataSource: DataSource) {}

  async insert(tx: Transaction, agent: Agent): Promise<void> {
    const manager = managerOf(tx);
    await refusing('agents_running_name', AgentNameTaken, () => manager.insert(AgentEntity, agentRow(agent)));
  }

  async update(tx: Transaction, agent: Agent): Promise<void> {
    await managerOf(tx).update(AgentEntity, { agentId: agent.agentId, tenantId: agent.tenantId }, agentRow(agent));
  }

  settle(agentId: string, { eventId }: { readonly eventId: string }): Settlement {
    return { kind: 'agent', agentId, eventId };
  }

  async find(tenantId: string, agentId: string): Promise<Agent | null> {
    const row = await inTenant(this.dataSource, tenantId, (manager) =>
      manager.findOneBy(AgentEntity, { tenantId, agentId }),
    );
    return row === null ? null : viewOf<Agent>(row);
  }

  async findForUpdate(tx: Transaction, tenantId: string, agentId: string): Promise<Agent | null> {
    const row = await managerOf(tx).findOne(AgentEntity, {
      where: { tenantId, agentId },
      lock: { mode: 'pessimistic_write' },
    });
    return row === null ? null : viewOf<Agent>(row);
  }

  list(
    tenantId: string,
    filter: AgentFilter,
    place: { limit: number; offset?: number; after?: AgentPlace | undefined },
  ): Promise<Page<Agent>> {
    return inTenant(this.dataSource, tenantId, (manager) => listAgents(manager, tenantId, filter, place));
  }
}

const listAgents = async (
  manager: EntityManager,
  tenantId: string,
  filter: AgentFilter,
  { limit, offset = 0, after }: { limit: number; offset?: number; after?: AgentPlace | undefined },
): Promise<Page<Agent>> => {
  const query = manager
    .createQueryBuilder(AgentEntity, 'agent')
    .where('agent.tenantId = :tenantId', { tenantId })
    .orderBy('agent.startedAt', 'DESC')
    .addOrderBy('agent.agentId', 'DESC');
  for (const field of ['memoryId', 'actorId', 'sessionId', 'name', 'channel', 'appId', 'vendorAgentId'] as const) {
    if (filter[field] !== undefined) query.andWhere(`agent.${field} = :${field}`, { [field]: filter[field] });
  }
  const { statuses, startedFrom, startedTo } = filter;
  if (statuses !== undefined) query.andWhere('agent.status = any(:statuses)', { statuses });
  if (startedFrom !== undefined) query.andWhere('agent.startedAt >= :startedFrom', { startedFrom });
  if (startedTo !== undefined) query.andWhere('agent.startedAt < :startedTo', { startedTo });
  const total = await query.getCount();
  if (after !== undefined) query.andWhere('(agent.startedAt, agent.agentId) < (:startedAt, :agentId)', { ...after });
  const rows = await query.offset(offset).limit(limit).getMany();
  return { rows: rows.map(viewOf<Agent>), total };
};
