import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { StopAgent, UpdateAgent, type AgentStore, type Clock } from '@turnkeeper/application';
import { parseOrRefuse } from '@turnkeeper/contracts';
import {
  agentDetail,
  agentList,
  AGORA_PREFIX,
  AgoraAgents,
  agoraChangeOf,
  agoraJoinBody,
  agoraListQuery,
  agoraUpdateBody,
  cursorOf,
  JoinAgoraAgent,
  placeOf,
  statusesOf,
  taskResponse,
  updateResponse,
} from '@turnkeeper/vendors';
import { RequireScope, TenantId } from '../auth/auth.guard.js';
import { AGENT_STORE, CLOCK } from '@turnkeeper/runtime/nest';
import { APPENDED } from '../tokens.js';
import { APP_ID } from './app-id.js';

/** Default listing window: agents started within this many seconds (Agora's `from_time`). */
const LISTED_SECONDS = 7_200;

/** The life of an agent in the API of Agora's Conversational AI Engine. */
@Controller(`${AGORA_PREFIX}v2/projects/:appId`)
export class AgoraController {
  constructor(
    @Inject(JoinAgoraAgent) private readonly join: JoinAgoraAgent,
    @Inject(UpdateAgent) private readonly updateAgent: UpdateAgent,
    @Inject(StopAgent) private readonly stopAgent: StopAgent,
    @Inject(AgoraAgents) private readonly agoraAgents: AgoraAgents,
    @Inject(AGENT_STORE) private readonly agents: AgentStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(APPENDED) private readonly appended: () => void,
  ) {}

  @Post('join')
  @HttpCode(200)
  @RequireScope('agents:write', 'agoraJoin')
  async start(@TenantId() tenantId: string, @Param('appId', APP_ID) appId: string, @Body() body: unknown) {
    const agent = await this.join.execute(tenantId, appId, parseOrRefuse('body', agoraJoinBody, body));
    this.appended();
    return taskResponse(agent);
  }

  @Post('agents/:agentId/leave')
  @HttpCode(200)
  @RequireScope('agents:write', 'agoraLeave')
  async leave(@TenantId() tenantId: string, @Param('appId', APP_ID) appId: string, @Param('agentId') id: string) {
    const { agentId } = await this.agoraAgents.find(tenantId, appId, id);
    await this.stopAgent.execute(tenantId, agentId, 'requested');
    this.appended();
  }

  @Post('agents/:agentId/update')
  @HttpCode(200)
  @RequireScope('agents:write', 'agoraUpdate')
  async update(
    @TenantId() tenantId: string,
    @Param('appId', APP_ID) appId: string,
    @Param('agentId') id: string,
    @Body() body: unknown,
  ) {
    const { systemMessages, params } = agoraChangeOf(parseOrRefuse('body', agoraUpdateBody, body));
    const agent = await this.agoraAgents.findRunning(tenantId, appId, id);
    // A request with only a new token changes nothing that we store.
    if (systemMessages === undefined && params === undefined) return updateResponse(agent);
    const updated = await this.updateAgent.execute(tenantId, agent.agentId, {
      ...(systemMessages === undefined ? {} : { systemMessages }),
      ...(params === undefined ? {} : { params }),
    });
    this.appended();
    return updateResponse(updated);
  }

  @Get('agents/:agentId')
  @RequireScope('agents:read', 'agoraQuery')
  async query(@TenantId() tenantId: string, @Param('appId', APP_ID) appId: string, @Param('agentId') id: string) {
    return agentDetail(await this.agoraAgents.find(tenantId, appId, id));
  }

  @Get('agents')
  @RequireScope('agents:read', 'agoraList')
  async list(@TenantId() tenantId: string, @Param('appId', APP_ID) appId: string, @Query() query: unknown) {
    const { channel, from_time, to_time, state, limit, cursor } = parseOrRefuse('query', agoraListQuery, query);
    const from = from_time ?? Math.floor(this.clock.now().getTime() / 1_000) - LISTED_SECONDS;
    const filter = {
      appId,
      channel,
      statuses: statusesOf(state),
      startedFrom: isoOf(from),
      ...(to_time === undefined ? {} : { startedTo: isoOf(to_time) }),
    };
    const { rows, total } = await this.agents.list(tenantId, filter, { limit, after: placeOf(cursor) });
    return agentList(rows, total, rows.length < limit ? '' : cursorOf(rows.at(-1)));
  }
}

/** The latest time a `Date` can hold (s); nothing can have started after it. */
const LAST_DATE_SECONDS = 8.64e12;

const isoOf = (seconds: number): string => new Date(Math.min(seconds, LAST_DATE_SECONDS) * 1_000).toISOString();
