import { AgentNotFound, AgentNotRunning, evolveAgent, isUuid, type Agent, type AgentEvent } from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import { pendingEvent, storedEvent, type Fact } from '../log/stored-event.js';
import type { AgentStore } from './agent-store.port.js';
import { scopeOf, type Appended } from '../log/event-store.port.js';
import type { AppendingTransaction, Ending, Transaction } from '../shared/transaction.port.js';
import { projectAgent } from '../projections/project-agent.js';

export type AgentDeps = Pick<Ports, 'unitOfWork' | 'eventStore' | 'agents' | 'agentIdle' | 'ids'>;

export const requireAgent = async (agents: AgentStore, tenantId: string, agentId: string): Promise<Agent> => {
  const agent = await agents.find(tenantId, agentId);
  if (agent === null) throw new AgentNotFound();
  return agent;
};

/**
 * Finds an agent by its own id, or by the id that the voice platform running it gave it. Null if there is none. If
 * several have the platform's id, the newest.
 */
export const findByAnyId = async (agents: AgentStore, tenantId: string, id: string): Promise<Agent | null> => {
  const own = isUuid(id) ? await agents.find(tenantId, id.toLowerCase()) : null;
  // No platform's id holds a NUL, and the database stores none.
  if (own !== null || id === '' || id.includes('\u0000')) return own;
  const { rows } = await agents.list(tenantId, { vendorAgentId: id }, { limit: 1 });
  return rows[0] ?? null;
};

/** Returns the agent. Rejects with `AgentNotFound` or `AgentNotRunning`. */
export const requireRunning = async (agents: AgentStore, tenantId: string, agentId: string): Promise<Agent> => {
  const agent = await requireAgent(agents, tenantId, agentId);
  if (agent.status !== 'RUNNING') throw new AgentNotRunning(agent.status);
  return agent;
};

/**
 * Changes a running agent by one event, which is folded into the agent's row and appended in one transaction. Rejects
 * with `AgentNotFound` or `AgentNotRunning`.
 */
export const changeAgent = <T extends Exclude<AgentEvent['type'], 'agent.started'>>(
  deps: AgentDeps,
  tenantId: string,
  agentId: string,
  decide: (agent: Agent) => Fact<T>,
): Promise<Agent> =>
  deps.unitOfWork.appendFor(tenantId, async (tx) => {
    const agent = await lockRunning(deps, tx, tenantId, agentId);
    return applyChange(deps, tx, agent, decide(agent));
  });

const lockRunning = async (
  { agents }: AgentDeps,
  tx: Transaction,
  tenantId: string,
  agentId: string,
): Promise<Agent> => {
  const agent = await agents.findForUpdate(tx, tenantId, agentId);
  if (agent === null) throw new AgentNotFound();
  if (agent.status !== 'RUNNING') throw new AgentNotRunning(agent.status);
  return agent;
};

/**
 * Updates the agent, whose row must be locked, and ends the transaction with the event's append.
 *
 * @param expectedSequence rejects with `SequenceConflict` if the session has newer events
 */
export const applyChange = async <T extends Exclude<AgentEvent['type'], 'agent.started'>>(
  { agents, agentIdle }: AgentDeps,
  tx: AppendingTransaction,
  agent: Agent,
  fact: Fact<T>,
  expectedSequence?: number,
): Promise<Ending<Agent>> => {
  const scope = scopeOf(agent);
  const pending = pendingEvent(scope, fact, await tx.recordedAt()) as AgentEvent;
  const changed = await projectAgent({ agents }, tx, agent, pending);
  const hasEnded = changed.status !== 'RUNNING';
  if (hasEnded) await agentIdle.forget(tx, agent.agentId);
  const expected = expectedSequence === undefined ? {} : { expectedSequence };
  return {
    append: [{ ...scope, events: [fact as Fact<'agent.stopped'>], ...expected }],
    settle: hasEnded ? [agents.settle(agent.agentId, fact)] : [],
    result: ([appended]) => evolveAgent(agent, storedEvent(scope, fact, appended as Appended) as AgentEvent),
  };
};
