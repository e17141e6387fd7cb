import { Controller, Inject } from '@nestjs/common';
import {
  FailAgent,
  requireAgent,
  StartAgent,
  StopAgent,
  UpdateAgent,
  type AgentPlace,
  type AgentStore,
} from '@turnkeeper/application';
import { instant, routes, uuid, type InputOf, type OutputOf } from '@turnkeeper/contracts';
import type { Agent, AgentStatus, AgentUpdated } from '@turnkeeper/domain';
import { TenantId } from '../auth/auth.guard.js';
import { InvalidCursor } from '../http/cursor.js';
import { cursorOfParts, listResponse, partsOfCursor } from '../http/paging.js';
import { IfMatch, type VersionCheck } from '../http/etag.js';
import { Input, Route } from '../http/route.js';
import { AGENT_STORE } from '@turnkeeper/runtime/nest';
import { APPENDED } from '../tokens.js';
import { agentResponse } from './agent-response.js';

const { startAgent, listAgents, getAgent, updateAgent, stopAgent, failAgent } = routes;

const cursorOf = ({ startedAt, agentId }: AgentPlace): string => cursorOfParts([startedAt, agentId]);
const placeOf = (after: string): AgentPlace => {
  const [startedAt = '', agentId = ''] = partsOfCursor(after, 2);
  if (!instant.safeParse(startedAt).success || !uuid.safeParse(agentId).success) throw new InvalidCursor();
  return { startedAt, agentId };
};

/** The life cycle of an agent, from start to stop. */
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
    const { limit, after, status, ...filter } = query;
    const { rows } = await this.agents.list(
      tenantId,
      { ...filter, ...(status === undefined ? {} : { statuses: [status.toUpperCase() as AgentStatus] }) },
      { limit: limit + 1, after: after === undefined ? undefined : placeOf(after) },
    );
    return listResponse(rows, limit, agentResponse, cursorOf);
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
    @IfMatch() check: VersionCheck,
  ): Promise<OutputOf<typeof updateAgent>> {
    const change = body as Omit<AgentUpdated, 'agentId'>;
    const isCurrent = (agent: Agent): void => check(agentResponse(agent));
    const agent = await this.updateAgent.execute(tenantId, path.agentId, change, isCurrent);
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
