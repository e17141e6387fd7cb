import type { Agent, AgentUpdated } from '@turnkeeper/domain';
import { factOf } from '../log/stored-event.js';
import { changeAgent, type AgentDeps } from './agent-change.js';

/** Replaces a running agent's system messages or parameters as a whole. */
export class UpdateAgent {
  constructor(private readonly deps: AgentDeps) {}

  /** @param check throws if the change was made for another version than the current one */
  execute(
    tenantId: string,
    agentId: string,
    change: Omit<AgentUpdated, 'agentId'>,
    check: (current: Agent) => void = () => undefined,
  ): Promise<Agent> {
    const eventId = this.deps.ids.next();
    return changeAgent(this.deps, tenantId, agentId, (agent) => {
      check(agent);
      return factOf(eventId, 'agent.updated', { agentId, ...change });
    });
  }
}
