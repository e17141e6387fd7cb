import type { Ids, StartAgent, VendorApp } from '@turnkeeper/application';
import type { Agent, AgentStarted, MessageAppended } from '@turnkeeper/domain';
import type { ZegoCreateBody } from './bodies.js';

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
    private readonly ids: Ids,
  ) {}

  execute({ tenantId, appId, memoryId }: VendorApp, body: ZegoCreateBody): Promise<Agent> {
    const { MessageHistory: history, LLM, RTC } = body;
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
      initialMessages: given ? history.Messages.map((message) => messageOfZego(message, 'memory')) : [],
    });
  }
}

export const paramsOf = (llm: ZegoCreateBody['LLM']): AgentStarted['params'] => ({
  ...(llm?.Model === undefined ? {} : { model: llm.Model }),
  ...(llm?.Temperature === undefined ? {} : { temperature: llm.Temperature }),
  ...(llm?.TopP === undefined ? {} : { top_p: llm.TopP }),
  ...llm?.Params,
});

export const systemMessagesOf = (llm: ZegoCreateBody['LLM']): AgentStarted['systemMessages'] =>
  llm?.SystemPrompt === undefined ? [] : [{ role: 'system', content: llm.SystemPrompt }];
