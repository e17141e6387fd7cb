import type { Agent, AgentEvent, AgentStatus } from '@turnkeeper/domain';
import type { Page } from './memory-store.port.js';
import type { Settlement, Transaction } from './transaction.port.js';

/** What must hold for a listed agent; what is absent does not matter. */
export interface AgentFilter {
  readonly statuses?: readonly AgentStatus[] | undefined;
  readonly memoryId?: string | undefined;
  readonly actorId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly name?: string | undefined;
  readonly channel?: string | undefined;
  readonly appId?: string | undefined;
  /** Started at or after, and before (ISO 8601). */
  readonly startedFrom?: string | undefined;
  readonly startedTo?: string | undefined;
}

/** A place in a listing of agents: behind this one. */
export interface AgentPlace {
  readonly startedAt: string;
  readonly agentId: string;
}

export interface AgentStore {
  /** Rejects with `AgentNameTaken` when an agent of this name is running. */
  insert(tx: Transaction, agent: Agent): Promise<void>;
  update(tx: Transaction, agent: Agent): Promise<void>;
  /** Gives the agent the session sequence of its start or end, which is known only once the event is appended. */
  settle(agentId: string, event: Pick<AgentEvent, 'eventId'>): Settlement;
  find(tenantId: string, agentId: string): Promise<Agent | null>;
  /** The same, locked until the transaction ends. */
  findForUpdate(tx: Transaction, tenantId: string, agentId: string): Promise<Agent | null>;
  /** Newest first. `total` counts what the filter lets through, from the first page on. */
  list(
    tenantId: string,
    filter: AgentFilter,
    page: { readonly limit: number; readonly offset?: number; readonly after?: AgentPlace | undefined },
  ): Promise<Page<Agent>>;
}

/** When running agents may have been idle for too long. A row is a reason to look, never the verdict. */
export interface AgentIdleStore {
  watch(tx: Transaction, agent: Agent, dueAt: string): Promise<void>;
  /** Moves the time. True when that is in the past already, by the database's clock. */
  postpone(tx: Transaction, agentId: string, dueAt: string): Promise<boolean>;
  forget(tx: Transaction, agentId: string): Promise<void>;
  /** Agents to look at now, longest due first. */
  due(limit: number): Promise<readonly { readonly tenantId: string; readonly agentId: string }[]>;
}
