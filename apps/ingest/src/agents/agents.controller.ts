import { Controller, Inject } from '@nestjs/common';
import { FailAgent, requireAgent, StartAgent, StopAgent, UpdateAgent, type AgentStore } from '@turnkeeper/application';
import { routes, type InputOf, type OutputOf } from '@turnkeeper/contracts';
import type { AgentUpdated } from '@turnkeeper/domain';
import { TenantId } from '../auth/auth.guard.js';
import { pageResponse } from '../http/paging.js';
import { Input, Route } from '../http/route.js';
import { AGENT_STORE, APPENDED } from '../tokens.js';
import { agentResponse } from './agent-response.js';

const { startAgent, listAgents, getAgent, updateAgent, stopAgent, failAgent } = routes;

/** From the start of an agent to its end. */
@Controller()
export class AgentsController {
  constructor(
    @Inject(StartAgent) private readonly startAgent: StartAgent,
    @Inject(UpdateAgent) private readonly updateAgent: UpdateAgent,
    @Inject(StopAgent) private readonly stopAgent: StopAgent,
    @Inject(FailAgent) private readonly failAgent: FailAgent,
    @Inject(AGENT_STORE) private readonly agents: AgentStore,
    @Inject(APPENDED) private readonly appended: () => void,
  ) {}

  @Route(startAgent)
  async start(
    @TenantId() tenantId: string,
    @Input(startAgent) { body }: InputOf<typeof startAgent>,
  ): Promise<OutputOf<typeof startAgent>> {
    const agent = await this.startAgent.execute(tenantId, body);
    this.appended();
    return agentResponse(agent);
  }

  @Route(listAgents)
  async list(
    @TenantId() tenantId: string,
    @Input(listAgents) { query }: InputOf<typeof listAgents>,
  ): Promise<OutputOf<typeof listAgents>> {
    const { page, size, status, ...filter } = query;
    const { rows, total } = await this.agents.list(
      tenantId,
      { ...filter, ...(status === undefined ? {} : { statuses: [status] }) },
      { offset: (page - 1) * size, limit: size },
    );
    return pageResponse(rows.map(agentResponse), query, total);
  }

  @Route(getAgent)
  async get(
    @TenantId() tenantId: string,
    @Input(getAgent) { path }: InputOf<typeof getAgent>,
  ): Promise<OutputOf<typeof getAgent>> {
    return agentResponse(await requireAgent(this.agents, tenantId, path.agentId));
  }

  @Route(updateAgent)
  async update(
    @TenantId() tenantId: string,
    @Input(updateAgent) { path, body }: InputOf<typeof updateAgent>,
  ): Promise<OutputOf<typeof updateAgent>> {
    const agent = await this.updateAgent.execute(tenantId, path.agentId, body as Omit<AgentUpdated, 'agentId'>);
    this.appended();
    return agentResponse(agent);
  }

  @Route(stopAgent)
  async stop(
    @TenantId() tenantId: string,
    @Input(stopAgent) { path, body }: InputOf<typeof stopAgent>,
  ): Promise<OutputOf<typeof stopAgent>> {
    const agent = await this.stopAgent.execute(tenantId, path.agentId, body.reason);
    this.appended();
    return agentResponse(agent);
  }

  @Route(failAgent)
  async fail(
    @TenantId() tenantId: string,
    @Input(failAgent) { path, body }: InputOf<typeof failAgent>,
  ): Promise<OutputOf<typeof failAgent>> {
    const agent = await this.failAgent.execute(tenantId, path.agentId, body.reason);
    this.appended();
    return agentResponse(agent);
  }
}
