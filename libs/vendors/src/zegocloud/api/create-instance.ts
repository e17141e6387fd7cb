import type { Ids, StartAgent, VendorAgentStore, VendorApp } from '@turnkeeper/application';
import type { Agent, AgentStarted, MessageAppended } from '@turnkeeper/domain';
import { zegoHistory, zegoLlm, type ZegoCreateBody, type ZegoLlm } from './bodies.js';

/** A message in ZEGOCLOUD's spelling. */
export interface ZegoMessage {
  readonly Role: string;
  readonly Content: string;
}

/**
 * @param source `command` for messages added during a call; `memory` for messages a call starts with: they were said
 * before, so they are not extracted again
 */
export const messageOfZego = ({ Role, Content }: ZegoMessage, source: 'command' | 'memory'): MessageAppended => ({
  payloadType: 'CONVERSATIONAL',
  role: Role,
  content: Content,
  metadata: { source },
});

/** The archive session of a user and a robot; the actor is the user. */
const archiveOf = (robotId: string): string => `robot:${robotId}`;

/** Starts an agent from CreateAgentInstance; its conversation is the archive or a new session. */
export class CreateZegoInstance {
  constructor(
    private readonly startAgent: StartAgent,
    private readonly vendorAgents: VendorAgentStore,
    private readonly ids: Ids,
  ) {}

  async execute(app: VendorApp, body: ZegoCreateBody): Promise<Agent> {
    const { tenantId, appId, memoryId } = app;
    const { RTC } = body;
    const history = body.MessageHistory ?? zegoHistory.parse({});
    const LLM = body.LLM ?? (await this.registered(app, body.AgentId));
    const agentId = this.ids.next();
    const given = history.SyncMode === 1;
    const robotId = given ? '' : (history.ZIM?.RobotId ?? '');
    return this.startAgent.execute(tenantId, {
      agentId,
      memoryId,
      actorId: body.UserId,
      // Without a robot, this archive could never be found again.
      sessionId: robotId === '' ? agentId : archiveOf(robotId),
      // Instances have no names.
      name: `${body.AgentId} ${agentId}`,
      vendor: 'openai',
      systemMessages: systemMessagesOf(LLM),
      params: paramsOf(LLM),
      maxHistory: history.WindowSize,
      loadHistory:
        robotId === '' ? 0 : Math.min(history.ZIM?.LoadMessageCount ?? history.WindowSize, history.WindowSize),
      labels: { AgentId: body.AgentId },
      channel: RTC?.RoomId ?? null,
      idleTimeoutSeconds: body.AdvancedConfig?.MaxIdleTime ?? 0,
      appId,
      initialMessages: given ? (history.Messages ?? []).map((message) => messageOfZego(message, 'memory')) : [],
    });
  }

  private async registered(app: VendorApp, agentId: string): Promise<ZegoLlm | null> {
    const [agent] = await this.vendorAgents.find(app, [agentId]);
    return agent === undefined ? null : zegoLlm.parse(agent.llm);
  }
}

export const paramsOf = (llm: ZegoLlm | null): AgentStarted['params'] => ({
  ...(llm?.Model == null ? {} : { model: llm.Model }),
  ...(llm?.Temperature == null ? {} : { temperature: llm.Temperature }),
  ...(llm?.TopP == null ? {} : { top_p: llm.TopP }),
  ...llm?.Params,
});

export const systemMessagesOf = (llm: ZegoLlm | null): AgentStarted['systemMessages'] =>
  llm?.SystemPrompt == null ? [] : [{ role: 'system', content: llm.SystemPrompt }];
