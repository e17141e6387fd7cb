import type { LogEvent } from '../log/log-event.js';
import { AgentNotFound, evolveAgent, isAgentEvent, type Agent } from './agent.js';

/** Agents as the log tells them, by id: what any projection of agents must agree with. */
export class AgentsOfLog {
  private readonly agents = new Map<string, Agent>();

  /** Takes the next events, in log order. Events about anything else have no effect. */
  take(events: readonly LogEvent[]): void {
    for (const event of events) {
      if (!isAgentEvent(event)) continue;
      const known = this.agents.get(event.data.agentId) ?? null;
      if (known === null && event.type !== 'agent.started') throw new AgentNotFound();
      this.agents.set(event.data.agentId, evolveAgent(known, event));
    }
  }

  all(): readonly Agent[] {
    return [...this.agents.values()];
  }
}
