import { findByAnyId, type AgentStore } from '@turnkeeper/application';
import { AgentNotFound, AgentNotRunning, type Agent } from '@turnkeeper/domain';

/** Finds the agents of a project. */
export class AgoraAgents {
  constructor(private readonly agents: AgentStore) {}

  /**
   * An agent of this project, by our id or by Agora's; an agent of another project counts as unknown. An agent that
   * runs at Agora is known by its notifications, which name no project.
   */
  async find(tenantId: string, appId: string, id: string): Promise<Agent> {
    const agent = await findByAnyId(this.agents, tenantId, id);
    const isAtAgora = agent?.vendor === 'agora' && agent.vendorAgentId !== null && agent.appId === null;
    if (agent === null || (agent.appId !== appId && !isAtAgora)) throw new AgentNotFound();
    return agent;
  }

  async findRunning(tenantId: string, appId: string, id: string): Promise<Agent> {
    const agent = await this.find(tenantId, appId, id);
    if (agent.status !== 'RUNNING') throw new AgentNotRunning(agent.status);
    return agent;
  }
}
