import { Body, Controller, Headers, Inject } from '@nestjs/common';
import {
  AppendToAgent,
  GetLlmRequest,
  historyOfAgent,
  InterruptAgent,
  requireAgent,
  ResetAgent,
  type AgentStore,
  type EventStore,
} from '@turnkeeper/application';
import { routes } from '@turnkeeper/contracts';
import { Input, Route, type CallOf } from '../http/route.js';
import { AGENT_STORE, EVENT_STORE } from '@turnkeeper/runtime/nest';
import { APPENDED } from '../tokens.js';
import { historyResponse } from './agent-response.js';
import { receivedMessages, repeatKeyOf } from './received-messages.js';

const { appendToAgent, interruptAgent, resetAgent, getAgentHistory, getLlmRequest } = routes;

/** An agent's messages, and the input of its model. */
@Controller()
export class ConversationController {
  constructor(
    @Inject(AppendToAgent) private readonly appendToAgent: AppendToAgent,
    @Inject(InterruptAgent) private readonly interruptAgent: InterruptAgent,
    @Inject(ResetAgent) private readonly resetAgent: ResetAgent,
    @Inject(GetLlmRequest) private readonly getLlmRequest: GetLlmRequest,
    @Inject(AGENT_STORE) private readonly agents: AgentStore,
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(APPENDED) private readonly appended: () => void,
  ) {}

  @Route(appendToAgent)
  async append(
    @Input() { tenantId, path, body }: CallOf<typeof appendToAgent>,
    @Headers('idempotency-key') key: string | undefined,
    @Body() received: unknown,
  ) {
    const messages = await this.appendToAgent.execute(
      tenantId,
      path.agentId,
      receivedMessages(body.contents),
      repeatKeyOf(key, received),
      'contents.',
    );
    this.appended();
    return { messages };
  }

  @Route(interruptAgent)
  async interrupt(
    @Input() { tenantId, path, body }: CallOf<typeof interruptAgent>,
    @Headers('idempotency-key') key: string | undefined,
    @Body() received: unknown,
  ) {
    const { content: heard, interruptTimestamp } = body;
    const interrupted = await this.interruptAgent.execute(
      tenantId,
      path.agentId,
      { heard, ...(interruptTimestamp === undefined ? {} : { interruptTimestamp }) },
      repeatKeyOf(key, received),
    );
    this.appended();
    return interrupted;
  }

  @Route(resetAgent)
  async reset(@Input() { tenantId, path, body }: CallOf<typeof resetAgent>) {
    await this.resetAgent.execute(tenantId, path.agentId, body.reason);
    this.appended();
  }

  @Route(getAgentHistory)
  async history(@Input() { tenantId, path }: CallOf<typeof getAgentHistory>) {
    const agent = await requireAgent(this.agents, tenantId, path.agentId);
    return historyResponse(agent, await historyOfAgent(this.eventStore, agent));
  }

  @Route(getLlmRequest)
  async llmRequest(@Input() { reach, path, query }: CallOf<typeof getLlmRequest>) {
    const request = await this.getLlmRequest.execute(reach, path.agentId, {
      times: query.times === 'true',
      users: query.users === 'true',
      original: query.original === 'true',
      interruptable: query.interruptable === 'true',
      memories: query.memories,
    });
    return { ...request, messages: [...request.messages] };
  }
}
