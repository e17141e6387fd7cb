import type { Agent } from '@turnkeeper/domain';
import { factOf } from '../log/stored-event.js';
import { changeAgent, type AgentDeps } from './agent-change.js';

/** Stops a running agent. The event triggers its history webhook. */
export class StopAgent {
  constructor(private readonly deps: AgentDeps) {}

  execute(tenantId: string, agentId: string, reason: string): Promise<Agent> {
    const eventId = this.deps.ids.next();
    return changeAgent(this.deps, tenantId, agentId, () => factOf(eventId, 'agent.stopped', { agentId, reason }));
  }
}

/** Marks a running agent as failed. The event triggers its history webhook, as for a stop. */
export class FailAgent {
  constructor(private readonly deps: AgentDeps) {}

  execute(tenantId: string, agentId: string, reason: string): Promise<Agent> {
    const eventId = this.deps.ids.next();
    return changeAgent(this.deps, tenantId, agentId, () => factOf(eventId, 'agent.failed', { agentId, reason }));
  }
}
