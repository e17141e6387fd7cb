import { Body, Controller, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { StartAgent, StopAgent, type AgentStore } from '@turnkeeper/application';
import { parseOrRefuse, startAgentBody, stopAgentBody, uuid } from '@turnkeeper/contracts';
import { AgentNotFound, type Agent } from '@turnkeeper/domain';
import { RequireScope, TenantId } from '../auth/auth.guard.js';
import { AGENT_STORE, APPENDED } from '../tokens.js';

const agentResponse = ({ tenantId: _, ...agent }: Agent) => agent;

const agentIdOf = (value: string): string => {
  const parsed = uuid.safeParse(value);
  if (!parsed.success) throw new AgentNotFound();
  return parsed.data;
};

@Controller('v1/agents')
export class AgentsController {
  constructor(
    @Inject(StartAgent) private readonly startAgent: StartAgent,
    @Inject(StopAgent) private readonly stopAgent: StopAgent,
    @Inject(AGENT_STORE) private readonly agents: AgentStore,
    @Inject(APPENDED) private readonly appended: () => void,
  ) {}

  @Post()
  @RequireScope('agents:write')
  async start(@TenantId() tenantId: string, @Body() body: unknown) {
    const agent = await this.startAgent.execute(tenantId, parseOrRefuse('agent', startAgentBody, body));
    this.appended();
    return agentResponse(agent);
  }

  @Get(':agentId')
  @RequireScope('agents:read')
  async get(@TenantId() tenantId: string, @Param('agentId') agentId: string) {
    const agent = await this.agents.find(tenantId, agentIdOf(agentId));
    if (agent === null) throw new AgentNotFound();
    return agentResponse(agent);
  }

  @Post(':agentId/stop')
  @HttpCode(200)
  @RequireScope('agents:write')
  async stop(@TenantId() tenantId: string, @Param('agentId') agentId: string, @Body() body: unknown) {
    const { reason } = parseOrRefuse('stop', stopAgentBody, body ?? {});
    const agent = await this.stopAgent.execute(tenantId, agentIdOf(agentId), reason);
    this.appended();
    return agentResponse(agent);
  }
}
