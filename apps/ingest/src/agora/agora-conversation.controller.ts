import { Controller, Get, HttpCode, Inject, Post } from '@nestjs/common';
import { historyOfAgent } from '@turnkeeper/application';
import { InvalidPayload, parseOrRefuse, type AgentMessage } from '@turnkeeper/contracts';
import { isAssistantRole, isUserRole, type AgentAction, type Json } from '@turnkeeper/domain';
import {
  actionResponse,
  agentHistory,
  agentTurns,
  AGORA_PREFIX,
  agoraAppendQuery,
  agoraHistoryBody,
  agoraHistoryQuery,
  agoraInterruptBody,
  agoraSpeakBody,
  agoraThinkBody,
  agoraTurnsQuery,
  taskResponse,
} from '@turnkeeper/vendors';
import { receivedMessages, repeatKeyOf } from '../agents/received-messages.js';
import { RequireScope } from '../auth/auth.guard.js';
import { Call, type AgoraCall } from './agora-call.js';
import { APP, type App } from '../composition.js';

type Options = { readonly [key: string]: Json };

/** An agent's messages, in the API of Agora's Conversational AI Engine. */
@Controller(`${AGORA_PREFIX}v2/projects/:appId/agents/:agentId`)
export class AgoraConversationController {
  constructor(@Inject(APP) private readonly app: App) {}

  /** As at Agora, available while the agent runs; after it stops, the history is sent by webhook. */
  @Get('history')
  @RequireScope('agents:read', 'agoraHistory')
  async history(@Call() { tenantId, appId, id, query }: AgoraCall) {
    const wish = parseOrRefuse('query', agoraHistoryQuery, query);
    const agent = await this.app.agoraAgents.findRunning(tenantId, appId, id);
    return agentHistory(agent, await historyOfAgent(this.app.eventStore, agent), wish);
  }

  @Post('history')
  @HttpCode(200)
  @RequireScope('agents:write', 'agoraAppend')
  async append(@Call() { tenantId, appId, id, key, query, body }: AgoraCall) {
    const { roles } = parseOrRefuse('query', agoraAppendQuery, query);
    const { contents } = parseOrRefuse('body', agoraHistoryBody, body);
    if (roles === 'dialogue') refuseOtherRoles(contents);
    const agent = await this.app.agoraAgents.find(tenantId, appId, id);
    const messages = receivedMessages(contents);
    await this.app.appendToAgent.executeInTurn(tenantId, agent.agentId, messages, repeatKeyOf(key, body), 'contents.');
    this.app.appended();
    return taskResponse(agent);
  }

  @Get('turns')
  @RequireScope('agents:read', 'agoraTurns')
  async turns(@Call() { tenantId, appId, id, query }: AgoraCall) {
    const { page_index, page_size } = parseOrRefuse('query', agoraTurnsQuery, query);
    const agent = await this.app.agoraAgents.find(tenantId, appId, id);
    return agentTurns(agent, await historyOfAgent(this.app.eventStore, agent), { index: page_index, size: page_size });
  }

  @Post('speak')
  @HttpCode(200)
  @RequireScope('agents:write', 'agoraSpeak')
  speak(@Call() call: AgoraCall) {
    const { text, ...options } = parseOrRefuse('body', agoraSpeakBody, call.body);
    // With IGNORE the engine decides whether it speaks, so it reports what was said itself.
    const role = options.priority === 'IGNORE' ? null : 'assistant';
    return this.act(call, { action: 'speak', text, options: options as Options, role });
  }

  @Post('interrupt')
  @HttpCode(200)
  @RequireScope('agents:write', 'agoraInterrupt')
  interrupt(@Call() call: AgoraCall) {
    parseOrRefuse('body', agoraInterruptBody, call.body);
    // How much was heard is known to the engine only; it cuts the message.
    return this.act(call, { action: 'interrupt', text: null, options: {}, role: null });
  }

  @Post('think')
  @HttpCode(200)
  @RequireScope('agents:write', 'agoraThink')
  think(@Call() call: AgoraCall) {
    const { text, ...options } = parseOrRefuse('body', agoraThinkBody, call.body);
    return this.act(call, { action: 'think', text, options: options as Options, role: 'user' });
  }

  /** @param role speaker of the text in the conversation; null if it does not become part of it */
  private async act(
    { tenantId, appId, id }: AgoraCall,
    {
      role,
      ...instruction
    }: { action: AgentAction; text: string | null; options: Options; role: 'user' | 'assistant' | null },
  ) {
    const { agentId } = await this.app.agoraAgents.findRunning(tenantId, appId, id);
    const { text, options } = instruction;
    const metadata = options['metadata'] as Options | undefined;
    const message =
      role === null || text === null
        ? null
        : { payloadType: 'CONVERSATIONAL', role, content: text, metadata: { ...metadata, source: 'command' } };
    const agent = await this.app.instructAgent.execute(tenantId, agentId, instruction, message);
    this.app.appended();
    return actionResponse(agent);
  }
}

const refuseOtherRoles = (contents: readonly AgentMessage[]): void => {
  const issues = contents.flatMap(({ role }, index) =>
    isUserRole(role) || isAssistantRole(role)
      ? []
      : [{ field: `contents.${index}.role`, rule: 'must be user or assistant' }],
  );
  if (issues.length > 0) throw new InvalidPayload('body', issues.slice(0, 20));
};
