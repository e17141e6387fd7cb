import { evolveAgent, type Agent, type AgentEvent } from '@turnkeeper/domain';
import type { AgentStore } from '../ports/agent-store.port.js';
import type { Transaction } from '../ports/transaction.port.js';

/** Stores what an event makes of an agent. @param known the agent before it; null for one that is being started */
export const projectAgent = async (
  { agents }: { readonly agents: AgentStore },
  tx: Transaction,
  known: Agent | null,
  event: AgentEvent,
): Promise<Agent> => {
  const agent = evolveAgent(known, event);
  if (event.type === 'agent.started') await agents.insert(tx, agent);
  else await agents.update(tx, agent);
  return agent;
};
