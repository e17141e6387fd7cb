import type { Agent, AgentEvent, AgentStatus } from '@turnkeeper/domain';
import type { Page } from '../memories/memory-store.port.js';
import type { Settlement, Transaction } from '../shared/transaction.port.js';

/** Filters for listing agents. Absent fields do not filter. */
export interface AgentFilter {
  readonly statuses?: readonly AgentStatus[] | undefined;
  readonly memoryId?: string | undefined;
  readonly actorId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly name?: string | undefined;
  readonly channel?: string | undefined;
  readonly appId?: string | undefined;
  readonly vendorAgentId?: string | undefined;
  /** Start of the range is inclusive, end is exclusive (ISO 8601). */
  readonly startedFrom?: string | undefined;
  readonly startedTo?: string | undefined;
}

/** Keyset cursor of an agent listing: the page starts after this agent. */
export type AgentPlace = Pick<Agent, 'startedAt' | 'agentId'>;

export interface AgentStore {
  /** Rejects with `AgentNameTaken` if a running agent of the same vendor app, or of none in the memory, already has this name. */
  insert(tx: Transaction, agent: Agent): Promise<void>;
  update(tx: Transaction, agent: Agent): Promise<void>;
  /** Sets the session sequence of the agent's start or end, which is known only after the append. */
  settle(agentId: string, event: Pick<AgentEvent, 'eventId'>): Settlement;
  find(tenantId: string, agentId: string): Promise<Agent | null>;
  /** Like `find`, but locks the row until the transaction ends. */
  findForUpdate(tx: Transaction, tenantId: string, agentId: string): Promise<Agent | null>;
  /** Newest first. `total` counts all agents that match the filter, regardless of the page. */
  list(
    tenantId: string,
    filter: AgentFilter,
    page: { readonly limit: number; readonly offset?: number; readonly after?: AgentPlace | undefined },
  ): Promise<Page<Agent>>;
}

/**
 * When running agents become due for an idle check. A row only triggers the check; it does not prove that the agent is
 * idle.
 */
export interface AgentIdleStore {
  watch(tx: Transaction, agent: Agent, dueAt: string): Promise<void>;
  /** Sets a new due time. Returns true if it is already past by the database's clock. */
  postpone(tx: Transaction, agentId: string, dueAt: string): Promise<boolean>;
  forget(tx: Transaction, agentId: string): Promise<void>;
  /** Agents due for an idle check, longest overdue first. */
  due(limit: number): Promise<readonly { readonly tenantId: string; readonly agentId: string }[]>;
}
