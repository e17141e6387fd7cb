import type { AgentIdleStore, Transaction } from '@turnkeeper/application';
import type { Agent } from '@turnkeeper/domain';
import type { DataSource } from 'typeorm';
import { rowsOf } from '../connections/database.js';
import { managerOf } from '../connections/unit-of-work.js';
import { sqlOf, sqlViewsOf } from '../connections/sql.js';

export class PgAgentIdleStore implements AgentIdleStore {
  constructor(private readonly dataSource: DataSource) {}

  async watch(tx: Transaction, { agentId, tenantId }: Agent, dueAt: string): Promise<void> {
    await sqlOf(managerOf(tx))`
      insert into agent_idle_watches (agent_id, tenant_id, due_at) values (${agentId}, ${tenantId}, ${dueAt})`;
  }

  async postpone(tx: Transaction, agentId: string, dueAt: string): Promise<boolean> {
    // clock_timestamp, because the transaction may have waited for the agent's row.
    const [row] = await sqlOf<{ is_due: boolean }>(managerOf(tx))`
      update agent_idle_watches set due_at = ${dueAt} where agent_id = ${agentId}
        returning due_at <= clock_timestamp() as is_due`;
    return row?.is_due ?? false;
  }

  async forget(tx: Transaction, agentId: string): Promise<void> {
    await rowsOf(managerOf(tx), 'delete from agent_idle_watches where agent_id = $1', [agentId]);
  }

  async due(limit: number): Promise<readonly { readonly tenantId: string; readonly agentId: string }[]> {
    return sqlViewsOf<{ tenantId: string; agentId: string }>(this.dataSource)`
      select tenant_id, agent_id from agent_idle_watches where due_at <= now() order by due_at limit ${limit}`;
  }
}
