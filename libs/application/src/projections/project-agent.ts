import { evolveAgent, type Agent, type AgentEvent } from '@turnkeeper/domain';
import type { AgentStore } from '../agents/agent-store.port.js';
import type { Transaction } from '../shared/transaction.port.js';

/** Applies an event to an agent's row. @param known state before the event; null for a new agent */
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
