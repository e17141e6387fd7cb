import type { Agent } from '@turnkeeper/domain';
import type { Transaction } from './transaction.port.js';

export interface AgentStore {
  /** Rejects with `AgentNameTaken` when an agent of this name is running. */
  insert(tx: Transaction, agent: Agent): Promise<void>;
  update(tx: Transaction, agent: Agent): Promise<void>;
  find(tenantId: string, agentId: string): Promise<Agent | null>;
  /** The same, locked until the transaction ends. */
  findForUpdate(tx: Transaction, tenantId: string, agentId: string): Promise<Agent | null>;
}
