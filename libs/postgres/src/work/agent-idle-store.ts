import type { AgentIdleStore, Transaction } from '@turnkeeper/application';
import type { Agent } from '@turnkeeper/domain';
import type { DataSource } from 'typeorm';
import { viewsOf, rowsOf } from '../connections/database.js';
import { managerOf } from '../connections/unit-of-work.js';

export class PgAgentIdleStore implements AgentIdleStore {
  constructor(private readonly dataSource: DataSource) {}

  async watch(tx: Transaction, { agentId, tenantId }: Agent, dueAt: string): Promise<void> {
    await rowsOf(managerOf(tx), 'insert into agent_idle_watches (agent_id, tenant_id, due_at) values ($1, $2, $3)', [
      agentId,
      tenantId,
      dueAt,
    ]);
  }

  async postpone(tx: Transaction, agentId: string, dueAt: string): Promise<boolean> {
    const [row] = await rowsOf<{ is_due: boolean }>(
      managerOf(tx),
      // clock_timestamp, because the transaction may have waited for the agent's row.
      'update agent_idle_watches set due_at = $2 where agent_id = $1 returning due_at <= clock_timestamp() as is_due',
      [agentId, dueAt],
    );
    return row?.is_due ?? false;
  }

  async forget(tx: Transaction, agentId: string): Promise<void> {
    await rowsOf(managerOf(tx), 'delete from agent_idle_watches where agent_id = $1', [agentId]);
  }

  async due(limit: number): Promise<readonly { readonly tenantId: string; readonly agentId: string }[]> {
    return viewsOf<{ tenantId: string; agentId: string }>(
      this.dataSource,
      'select tenant_id, agent_id from agent_idle_watches where due_at <= now() order by due_at limit $1',
      [limit],
    );
  }
}
