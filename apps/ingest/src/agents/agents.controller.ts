import { Controller, Inject } from '@nestjs/common';
import { requireAgent, type AgentPlace } from '@turnkeeper/application';
import { instant, routes, uuid } from '@turnkeeper/contracts';
import type { Agent, AgentStatus, AgentUpdated } from '@turnkeeper/domain';
import { InvalidCursor } from '../http/cursor.js';
import { cursorOfParts, listResponse, partsOfCursor } from '../http/paging.js';
import { IfMatch, type VersionCheck } from '../http/etag.js';
import { Input, Route, type CallOf } from '../http/route.js';
import { agentResponse } from './agent-response.js';
import { APP, type App } from '../composition.js';

const cursorOf = ({ startedAt, agentId }: AgentPlace): string => cursorOfParts([startedAt, agentId]);
const placeOf = (after: string): AgentPlace => {
  const [startedAt = '', agentId = ''] = partsOfCursor(after, 2);
  if (!instant.safeParse(startedAt).success || !uuid.safeParse(agentId).success) throw new InvalidCursor();
  return { startedAt, agentId };
};

/** The life cycle of an agent, from start to stop. */
@Controller()
export class AgentsController {
  constructor(@Inject(APP) private readonly app: App) {}

  @Route(routes.startAgent)
  async start(@Input() { tenantId, body }: CallOf<typeof routes.startAgent>) {
    const agent = await this.app.startAgent.execute(tenantId, body);
    this.app.appended();
    return agentResponse(agent);
  }

  @Route(routes.listAgents)
  async list(@Input() { tenantId, query }: CallOf<typeof routes.listAgents>) {
    const { limit, after, status, ...filter } = query;
    const { rows } = await this.app.agents.list(
      tenantId,
      { ...filter, ...(status === undefined ? {} : { statuses: [status.toUpperCase() as AgentStatus] }) },
      { limit: limit + 1, after: after === undefined ? undefined : placeOf(after) },
    );
    return listResponse(rows, limit, agentResponse, cursorOf);
  }

  @Route(routes.getAgent)
  async get(@Input() { tenantId, path }: CallOf<typeof routes.getAgent>) {
    return agentResponse(await requireAgent(this.app.agents, tenantId, path.agentId));
  }

  @Route(routes.updateAgent)
  async update(@Input() { tenantId, path, body }: CallOf<typeof routes.updateAgent>, @IfMatch() check: VersionCheck) {
    const change = body as Omit<AgentUpdated, 'agentId'>;
    const isCurrent = (agent: Agent): void => check(agentResponse(agent));
    const agent = await this.app.updateAgent.execute(tenantId, path.agentId, change, isCurrent);
    this.app.appended();
    return agentResponse(agent);
  }

  @Route(routes.stopAgent)
  async stop(@Input() { tenantId, path, body }: CallOf<typeof routes.stopAgent>) {
    const agent = await this.app.stopAgent.execute(tenantId, path.agentId, body.reason);
    this.app.appended();
    return agentResponse(agent);
  }

  @Route(routes.failAgent)
  async fail(@Input() { tenantId, path, body }: CallOf<typeof routes.failAgent>) {
    const agent = await this.app.failAgent.execute(tenantId, path.agentId, body.reason);
    this.app.appended();
    return agentResponse(agent);
  }
}
