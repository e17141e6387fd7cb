import {
  Body,
  Controller,
  Get,
  Headers,
  HttpCode,
  Inject,
  Param,
  Post,
  Query,
  type PipeTransform,
} from '@nestjs/common';
import {
  AppendToAgent,
  historyOfAgent,
  requireAgent,
  StopAgent,
  UpdateAgent,
  type AgentStore,
  type Clock,
  type EventStore,
} from '@turnkeeper/application';
import {
  agoraHistoryBody,
  agoraJoinBody,
  agoraListQuery,
  agoraUpdateBody,
  parseOrRefuse,
  PATH_PARAMETERS,
  uuid,
} from '@turnkeeper/contracts';
import { AgentNotFound, AgentNotRunning, type Agent } from '@turnkeeper/domain';
import { receivedMessages, repeatKeyOf } from '../agents/received-messages.js';
import { RequireScope, TenantId } from '../auth/auth.guard.js';
import { AGENT_STORE, APPENDED, CLOCK, EVENT_STORE } from '../tokens.js';
import { cursorOf, placeOf } from './agora-cursor.js';
import { AGORA_PREFIX } from './agora-dialect.js';
import { agentDetail, agentHistory, agentList, statusesOf, taskResponse } from './agora-responses.js';
import { JoinAgoraAgent } from './join-agora-agent.js';

/** Default listing window: agents started within this many seconds (Agora's `from_time`). */
const LISTED_SECONDS = 7_200;

/** The project id, validated as at registration. */
const APP_ID: PipeTransform = {
  transform: (value: unknown) => parseOrRefuse('appId', PATH_PARAMETERS.appId, value),
};

/** The memory-related part of the agent API of Agora's Conversational AI Engine. */
@Controller(`${AGORA_PREFIX}v2/projects/:appId`)
export class AgoraController {
  constructor(
    @Inject(JoinAgoraAgent) private readonly join: JoinAgoraAgent,
    @Inject(UpdateAgent) private readonly updateAgent: UpdateAgent,
    @Inject(StopAgent) private readonly stopAgent: StopAgent,
    @Inject(AppendToAgent) private readonly appendToAgent: AppendToAgent,
    @Inject(AGENT_STORE) private readonly agents: AgentStore,
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
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
  async leave(@TenantId() tenantId: string, @Param('appId', APP_ID) appId: string, @Param('agentId') agentId: string) {
    const agent = await this.agentOf(tenantId, appId, agentId);
    await this.stopAgent.execute(tenantId, agent.agentId, 'requested');
    this.appended();
  }

  @Post('agents/:agentId/update')
  @HttpCode(200)
  @RequireScope('agents:write', 'agoraUpdate')
  async update(
    @TenantId() tenantId: string,
    @Param('appId', APP_ID) appId: string,
    @Param('agentId') agentId: string,
    @Body() body: unknown,
  ) {
    const { llm, mllm } = parseOrRefuse('body', agoraUpdateBody, body).properties;
    const agent = await this.agentOf(tenantId, appId, agentId);
    const params = llm?.params ?? mllm?.params;
    // A request with only a new token changes nothing that we store.
    if (llm?.system_messages === undefined && params === undefined) return taskResponse(running(agent));
    const updated = await this.updateAgent.execute(tenantId, agent.agentId, {
      ...(llm?.system_messages === undefined ? {} : { systemMessages: llm.system_messages }),
      ...(params === undefined ? {} : { params }),
    });
    this.appended();
    return taskResponse(updated);
  }

  /** As at Agora, available while the agent runs; after it stops, the history is sent by webhook. */
  @Get('agents/:agentId/history')
  @RequireScope('agents:read', 'agoraHistory')
  async history(
    @TenantId() tenantId: string,
    @Param('appId', APP_ID) appId: string,
    @Param('agentId') agentId: string,
  ) {
    const agent = running(await this.agentOf(tenantId, appId, agentId));
    return agentHistory(agent, await historyOfAgent(this.eventStore, agent));
  }

  @Post('agents/:agentId/history')
  @HttpCode(200)
  @RequireScope('agents:write', 'agoraAppend')
  async append(
    @TenantId() tenantId: string,
    @Param('appId', APP_ID) appId: string,
    @Param('agentId') agentId: string,
    @Headers('idempotency-key') key: string | undefined,
    @Body() body: unknown,
  ) {
    const { contents } = parseOrRefuse('body', agoraHistoryBody, body);
    const agent = await this.agentOf(tenantId, appId, agentId);
    const messages = receivedMessages(contents);
    await this.appendToAgent.execute(tenantId, agent.agentId, messages, repeatKeyOf(key, body), 'contents.');
    this.appended();
    return taskResponse(agent);
  }

  @Get('agents/:agentId')
  @RequireScope('agents:read', 'agoraQuery')
  async query(@TenantId() tenantId: string, @Param('appId', APP_ID) appId: string, @Param('agentId') agentId: string) {
    return agentDetail(await this.agentOf(tenantId, appId, agentId));
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

  /** Returns an agent of this project. An agent of another project counts as unknown. */
  private async agentOf(tenantId: string, appId: string, agentId: string): Promise<Agent> {
    const id = uuid.safeParse(agentId);
    if (!id.success) throw new AgentNotFound();
    const agent = await requireAgent(this.agents, tenantId, id.data);
    if (agent.appId !== appId) throw new AgentNotFound();
    return agent;
  }
}

const running = (agent: Agent): Agent => {
  if (agent.status !== 'RUNNING') throw new AgentNotRunning(agent.status);
  return agent;
};

/** The latest time a `Date` can hold (s); nothing can have started after it. */
const LAST_DATE_SECONDS = 8.64e12;

const isoOf = (seconds: number): string => new Date(Math.min(seconds, LAST_DATE_SECONDS) * 1_000).toISOString();
