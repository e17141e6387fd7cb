import { AgentNotFound, AgentNotRunning, type Agent, type AgentEvent } from '@turnkeeper/domain';
import { storedEvent, type Fact } from '../log/stored-event.js';
import type { AgentIdleStore, AgentStore } from '../ports/agent-store.port.js';
import type { Ids } from '../ports/clock.port.js';
import type { EventStore } from '../ports/event-store.port.js';
import type { Transaction, UnitOfWork } from '../ports/transaction.port.js';
import { projectAgent } from '../projections/project-agent.js';

export interface AgentDeps {
  readonly unitOfWork: UnitOfWork;
  readonly eventStore: EventStore;
  readonly agents: AgentStore;
  readonly agentIdle: AgentIdleStore;
  readonly ids: Ids;
}

/** The session that an agent is bound to. */
export const scopeOfAgent = ({ tenantId, memoryId, actorId, sessionId }: Agent) => ({
  tenantId,
  memoryId,
  actorId,
  sessionId,
});

export const requireAgent = async (agents: AgentStore, tenantId: string, agentId: string): Promise<Agent> => {
  const agent = await agents.find(tenantId, agentId);
  if (agent === null) throw new AgentNotFound();
  return agent;
};

/** The agent, or a refusal when it has ended. */
export const requireRunning = async (agents: AgentStore, tenantId: string, agentId: string): Promise<Agent> => {
  const agent = await requireAgent(agents, tenantId, agentId);
  if (agent.status !== 'RUNNING') throw new AgentNotRunning(agent.status);
  return agent;
};

/**
 * Changes a running agent by one event: appended, folded into the agent and stored, in one transaction.
 * Rejects with `AgentNotFound` or `AgentNotRunning`.
 */
export const changeAgent = <T extends Exclude<AgentEvent['type'], 'agent.started'>>(
  deps: AgentDeps,
  tenantId: string,
  agentId: string,
  decide: (agent: Agent) => Fact<T>,
): Promise<Agent> =>
  deps.unitOfWork.runFor(tenantId, async (tx) => {
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
 * Appends the event and stores what it makes of the agent. The agent's row is locked.
 *
 * @param expectedSequence refuses with `SequenceConflict` when the session has moved on
 */
export const applyChange = async <T extends Exclude<AgentEvent['type'], 'agent.started'>>(
  { eventStore, agents, agentIdle }: AgentDeps,
  tx: Transaction,
  agent: Agent,
  fact: Fact<T>,
  expectedSequence?: number,
): Promise<Agent> => {
  const scope = scopeOfAgent(agent);
  const appended = await eventStore.appendIn(tx, {
    ...scope,
    events: [fact as Fact<'agent.stopped'>],
    ...(expectedSequence === undefined ? {} : { expectedSequence }),
  });
  const changed = await projectAgent({ agents }, tx, agent, storedEvent(scope, fact, appended) as AgentEvent);
  if (changed.status !== 'RUNNING') await agentIdle.forget(tx, agent.agentId);
  return changed;
};
