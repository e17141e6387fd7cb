import { Controller, Get, HttpCode, Inject, Post } from '@nestjs/common';
import { parseOrRefuse } from '@turnkeeper/contracts';
import {
  agentDetail,
  agentList,
  AGORA_PREFIX,
  agoraChangeOf,
  agoraJoinBody,
  agoraListQuery,
  agoraUpdateBody,
  cursorOf,
  placeOf,
  statusesOf,
  taskResponse,
  updateResponse,
} from '@turnkeeper/vendors';
import { RequireScope } from '../auth/auth.guard.js';
import { Call, type AgoraCall } from './agora-call.js';
import { APP, type App } from '../composition.js';

/** Default listing window: agents started within this many seconds (Agora's `from_time`). */
const LISTED_SECONDS = 7_200;

/** The life of an agent in the API of Agora's Conversational AI Engine. */
@Controller(`${AGORA_PREFIX}v2/projects/:appId`)
export class AgoraController {
  constructor(@Inject(APP) private readonly app: App) {}

  @Post('join')
  @HttpCode(200)
  @RequireScope('agents:write', 'agoraJoin')
  async start(@Call() { tenantId, appId, body }: AgoraCall) {
    const agent = await this.app.joinAgoraAgent.execute(tenantId, appId, parseOrRefuse('body', agoraJoinBody, body));
    this.app.appended();
    return taskResponse(agent);
  }

  @Post('agents/:agentId/leave')
  @HttpCode(200)
  @RequireScope('agents:write', 'agoraLeave')
  async leave(@Call() { tenantId, appId, id }: AgoraCall) {
    const { agentId } = await this.app.agoraAgents.find(tenantId, appId, id);
    await this.app.stopAgent.execute(tenantId, agentId, 'requested');
    this.app.appended();
  }

  @Post('agents/:agentId/update')
  @HttpCode(200)
  @RequireScope('agents:write', 'agoraUpdate')
  async update(@Call() { tenantId, appId, id, body }: AgoraCall) {
    const { systemMessages, params } = agoraChangeOf(parseOrRefuse('body', agoraUpdateBody, body));
    const agent = await this.app.agoraAgents.findRunning(tenantId, appId, id);
    // A request with only a new token changes nothing that we store.
    if (systemMessages === undefined && params === undefined) return updateResponse(agent);
    const updated = await this.app.updateAgent.execute(tenantId, agent.agentId, {
      ...(systemMessages === undefined ? {} : { systemMessages }),
      ...(params === undefined ? {} : { params }),
    });
    this.app.appended();
    return updateResponse(updated);
  }

  @Get('agents/:agentId')
  @RequireScope('agents:read', 'agoraQuery')
  async query(@Call() { tenantId, appId, id }: AgoraCall) {
    return agentDetail(await this.app.agoraAgents.find(tenantId, appId, id));
  }

  @Get('agents')
  @RequireScope('agents:read', 'agoraList')
  async list(@Call() { tenantId, appId, query }: AgoraCall) {
    const { channel, from_time, to_time, state, limit, cursor } = parseOrRefuse('query', agoraListQuery, query);
    const from = from_time ?? Math.floor(this.app.clock.now().getTime() / 1_000) - LISTED_SECONDS;
    const filter = {
      appId,
      channel,
      statuses: statusesOf(state),
      startedFrom: isoOf(from),
      ...(to_time === undefined ? {} : { startedTo: isoOf(to_time) }),
    };
    const { rows, total } = await this.app.agents.list(tenantId, filter, { limit, after: placeOf(cursor) });
    return agentList(rows, total, rows.length < limit ? '' : cursorOf(rows.at(-1)));
  }
}

/** The latest time a `Date` can hold (s); nothing can have started after it. */
const LAST_DATE_SECONDS = 8.64e12;

const isoOf = (seconds: number): string => new Date(Math.min(seconds, LAST_DATE_SECONDS) * 1_000).toISOString();
